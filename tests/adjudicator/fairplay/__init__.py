"""Tests of fair play; `tests.adjudicator.fairplay.toy` is a small game with a secret, a question and private events."""
