"""Kill the service at every instant that matters, and look whether anything was lost, done twice or sent unlike itself."""
