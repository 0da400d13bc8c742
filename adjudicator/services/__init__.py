"""What the service does, one module per group of verbs, over the storage and the rules engines."""
