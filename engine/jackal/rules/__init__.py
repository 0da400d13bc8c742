"""The rules of «Шакал»: one module a chapter of the page, one short function a rule."""

from __future__ import annotations
