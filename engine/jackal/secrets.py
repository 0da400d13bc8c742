"""The one secret of «Шакал»: the deck, opened with the last letter (5.2, 5.5)."""

from __future__ import annotations

from engine.core.contract import Secret
from engine.jackal.rules.setup import DECK_STREAM
from engine.jackal.state import JackalState


def secrets(state: JackalState) -> tuple[Secret, ...]:
    """Return the deck: nobody knows it before the end."""
    return (Secret(name=DECK_STREAM, open=state.outcome is not None),)
