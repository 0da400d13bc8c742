"""«Пираты» by V. M. Golitsyn: a treasure galleon, her escort and six brigantines on the Atlantic."""
