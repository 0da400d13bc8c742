"""Kill the service at every instant that matters, and look what was lost, done twice or sent unlike itself."""
