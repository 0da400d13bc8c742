"""Data files of the service."""
