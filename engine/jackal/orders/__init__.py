"""The order language of «Шакал» in Russian and English (5.3)."""

from __future__ import annotations

from engine.jackal.orders.sheet import fold, merge, silent

__all__ = ["examples", "fold", "legal", "merge", "read", "silent", "template", "write"]
read = write = examples = legal = template = None
