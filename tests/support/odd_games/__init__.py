"""Games that the registry must refuse, or that behave oddly while they are loaded."""
