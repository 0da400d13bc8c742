"""Is it fast enough: ratios measured in one run on one machine, never seconds against a limit."""
