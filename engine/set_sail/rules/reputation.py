"""Reputation and the code (P6b, P22, P23, A28, A59)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.contract import Seat
from engine.set_sail.events import ReputationChanged
from engine.set_sail.rules import luck
from engine.set_sail.rules.play import Play
from engine.set_sail.state import LEAST, MOST


def change(play: Play, seat: Seat, n: int, *, article: str = "") -> bool:
    """Raise or lower a reputation step by step; at −2 a loss costs luck instead (P6b, P23).

    What a loss at −2 costs is luck if a move demands it; for a breach of the code ``code_floor`` says (A59). Gains at
    +3 are lost. Returns whether a loss of luck could not be paid: Fate, once for it all (A24).
    """
    unpaid = False
    for _ in range(abs(n)):
        unpaid = not _step(play, seat, 1 if n > 0 else -1, article) or unpaid
    return unpaid


def _step(play: Play, seat: Seat, n: int, article: str) -> bool:
    """Change a reputation by one; say whether luck, where it had to pay, could."""
    value = play.pirate(seat).rep
    if n < 0 and value <= LEAST:
        costs = not article or play.state.options.code_floor == "luck"
        play.tell(ReputationChanged(rule="P23", seat=seat, n=0, value=value, article=article))
        return not costs or luck.lose(play, seat, 1, "reputation")
    new = min(MOST, value + n)
    play.put_pirate(seat, rep=new)
    rule = "P22" if article else "P6"
    play.tell(ReputationChanged(rule=rule, seat=seat, n=new - value, value=new, article=article))
    return True


def conduct(play: Play, seat: Seat, article_id: str, *, kept: bool) -> str | bool:
    """Judge a pirate who knowingly kept or broke an article (P22, A28).

    Keeping a prescription pays once an article and scene; keeping a prohibition pays nothing; every breach costs 1.
    Returns the reason if it pays nothing, else whether Fate is met.
    """
    article = next((one for one in play.state.code if one.id == article_id), None)
    if article is None:
        return "no-article"
    if not kept:
        return change(play, seat, -1, article=article_id)
    if article.kind == "prohibition":
        return "prohibition-pays-nothing"
    if seat in article.kept:
        return "kept-before"
    marked = replace(article, kept=(*article.kept, seat))
    play.set(code=tuple(marked if one.id == article_id else one for one in play.state.code))
    return change(play, seat, 1, article=article_id)
