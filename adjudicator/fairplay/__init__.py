"""Fair play: seed chains, entropy, the tamper-evident log, and the check anybody can make of it."""
