"""What all rulesets share: the contract, orders, events, dice, drawing, name matching and the registry."""
