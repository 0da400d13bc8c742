"""Tests of the house itself: what is shipped, locked, named and how long it grew."""
