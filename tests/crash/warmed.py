"""Imported by the process that workers are forked from: they find the words of orders read already."""

from __future__ import annotations

from adjudicator.services import warming

warming.warm_up()
