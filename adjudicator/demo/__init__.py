"""The demonstration: whole games over embedded mail servers, nothing to configure."""
