"""Rules only: pure functions over values, with no clock, disk, network or chance of their own."""
