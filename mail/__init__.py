"""E-mail only: messages, people and text; knows no game, no table, no clock and no configuration."""
