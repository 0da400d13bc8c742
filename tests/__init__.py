"""Tests, laid out as the code they read; `tests.servers` starts the real servers they talk to."""
