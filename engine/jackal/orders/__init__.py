"""The order language of «Шакал» in Russian and English (5.3)."""

from __future__ import annotations
