"""The moderator commands at once: a wound, money, a scene are a turn of their own (set-sail 1.6).

Where he owes nothing in the open turn his commands wait for no lock; where he owes rulings they are done with these,
after the dice, unless he says «сейчас».
"""

from __future__ import annotations

from typing import Any

from adjudicator.errors import RefusedByRules
from adjudicator.services import interludes, moderation, positions, sheets, turns
from adjudicator.services.moderation import By, Facts
from adjudicator.services.positions import Table
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game
from engine.core import codec
from engine.core.contract import MODERATOR, Order, Sheet


def at_once(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Do the commands of some lines at once, all of them or none. Raises `RefusedByRules`."""
    number = None if verb.turn is None else turns.gone_on(work, game, verb.turn)
    turn = moderation.open_turn(work, game, Verb(name=verb.name, line=0, last=0, turn=number))
    table = positions.table(game)
    if not table.ruleset.info.moderated:
        raise RefusedByRules("nothing-at-once", tag=game.tag)
    if game.paused is not None:
        raise RefusedByRules("paused", tag=game.tag)
    view = positions.view_of(work, table, turn, MODERATOR)
    found = table.ruleset.read(view, (), verb.text, "en" if work.config.service.language == "en" else "ru")
    orders = tuple(one.order for one in found.orders)
    strange = [verb.text[place] for place in found.prose if verb.text[place].strip()]
    strange += [" → ".join((verb.text[one.lines[0]], *one.suggestions[:1])) for one in found.complaints]
    strange += [verb.text[one.lines[0]] for one in found.orders if not one.order.at_once]
    if strange or not orders:
        raise RefusedByRules("no-commands-read", lines=[line.strip() for line in strange])
    if interludes.too_late(work, table, turn, orders):
        raise RefusedByRules("bid-laid")
    moderation.note(work, game, by, f"at once {turn.number}")
    turns.lock_at_once(work, game, turn, orders)
    return {"turn": turn.number, "count": len(orders)}


def parted(table: Table, effects: list[sheets.AnyEffect]) -> tuple[list[sheets.AnyEffect], Sheet]:
    """Part the commands to be done at once from what else a letter does."""
    left: list[sheets.AnyEffect] = []
    commands: list[Order] = []
    for effect in effects:
        if not isinstance(effect, sheets.Put) or effect.standing:
            left.append(effect)
            continue
        kept: list[dict[str, Any]] = []
        for plain in effect.orders:
            order: Order = codec.from_plain(plain, table.ruleset.info.order)
            if order.at_once:
                commands.append(order)
            else:
                kept.append(plain)
        if kept:
            left.append(sheets.Put(orders=tuple(kept)))
    return left, tuple(commands)
