"""Money: chests, doubloons and piastres; the treasury and the purses (P24, A29)."""

from __future__ import annotations

from engine.core.contract import Seat
from engine.set_sail.events import MoneyMoved
from engine.set_sail.rules.play import Play
from engine.set_sail.state import CHEST, DOUBLOON


def piastres(chests: int = 0, doubloons: int = 0, coins: int = 0) -> int:
    """Return a sum in piastres: a chest is 10 doubloons, a doubloon 5 piastres (P24)."""
    return chests * CHEST + doubloons * DOUBLOON + coins


def counted(sum_: int) -> tuple[int, int, int]:
    """Return a sum as chests, doubloons and piastres, each as many as can be (P24)."""
    return sum_ // CHEST, sum_ % CHEST // DOUBLOON, sum_ % DOUBLOON


def move(play: Play, purse: Seat, n: int, why: str = "") -> str:
    """Put piastres into a purse ("" the treasury), or take them; return why it cannot be, "" if it was done (A29)."""
    left = (play.pirate(purse).purse if purse else play.state.treasury) + n
    if left < 0:
        return "no-money"
    if play.state.options.money_coins == "off" and n % CHEST:
        return "whole-chests"
    if purse:
        play.put_pirate(purse, purse=left)
    else:
        play.set(treasury=left)
    play.tell(MoneyMoved(rule="P24", purse=purse, n=n, left=left, why=why))
    return ""
