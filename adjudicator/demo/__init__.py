"""The demonstration: a whole game of «Пираты» by real e-mail on one machine, with nothing to configure."""

from __future__ import annotations

from adjudicator.demo.play import DemoResult, run

__all__ = ["DemoResult", "run"]
