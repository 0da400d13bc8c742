"""Rooms of rulesets that only tests play."""
