"""Matches: what players may do, who has which seat, and what everybody may see."""
