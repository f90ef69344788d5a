"""The engine: worker processes for agents and studies, and the turns of agents."""
