"""Who may do which verb: at once, after a confirming answer, or by a vote of the seats (play-by-mail 6).

The header says ``moderator: apart | plays | none``. Where he plays, what could favour him needs one other player's
yes; where there is none, the seats propose the verbs themselves. The operator, at the machine, may do everything, and
is logged as the operator with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Reader
from adjudicator.services import (
    acting,
    amending,
    asked,
    commanding,
    ending,
    handing,
    moderation,
    outbox,
    people,
    positions,
    proposals,
)
from adjudicator.services.moderation import By, Does, Facts
from adjudicator.services.opened import Opened
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Tenure
from engine.core import codec
from engine.core.contract import Seat

How: TypeAlias = Literal["done", "asked", "proposed"]
"""What became of a verb: it is done, its writer is asked whether he means it, the seats are asked."""


def finish(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Break a game off in the named turn: everything is opened and everybody gets the last letter (1.10)."""
    turn = moderation.this_turn(work, game, verb)
    moderation.note(work, game, by, f"finish {turn.number}")
    ending.finish(work, positions.table(game), "finish")
    return {"turn": turn.number}


DOES: Final[Mapping[str, Does]] = {
    **moderation.DOES,
    "act-for": acting.act_for,
    "amend": amending.amend,
    "replay": amending.amend,
    "at-once": commanding.at_once,
    "substitute": handing.substitute,
    "eject": handing.eject,
    "hand-over": handing.hand_over,
    "finish": finish,
}
"""What each verb does."""

CONFIRMED: Final = ("eject", "hand-over", "finish", *amending.VERBS)
"""Verbs that are confirmed by an answer (play-by-mail 4)."""
NEEDS_YES: Final = ("process", "deadline", "extend", "act-for", *amending.VERBS, "eject", "finish")
"""Verbs of a moderator who plays that need one other player's yes."""
UNSEALED: Final = ("preview", "show", "release", "drop")
"""Verbs that show or decide on sealed matter: none of a moderator who plays."""


def refuse_idle_operator(game: Game, by: By) -> None:
    """Demand the operator's reason where the game is not his to run. Raises `RefusedByRules`."""
    if by.who == "operator" and not by.why and positions.table(game).header.moderator != "apart":
        raise RefusedByRules("reason-wanted", tag=game.tag)


def ordered(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Do a verb at the command line, where its confirmation was given."""
    refuse_idle_operator(game, by)
    return DOES[verb.name](work, game, by, verb)


def refuse_who_plays(game: Game, verb: Verb) -> None:
    """Refuse a moderator who plays what shows sealed matter before its hour (6). Raises `RefusedByRules`."""
    if positions.table(game).header.moderator == "plays" and verb.name in UNSEALED:
        raise RefusedByRules("plays-himself", verb=verb.name)


def asked_by_mail(
    work: Work, game: Game, tenure: Tenure, verb: Verb, *, mail: int, in_reply_to: str
) -> tuple[How, Facts]:
    """Do a verb of the moderator's, or ask him or the seats first. Raises `RefusedByRules`."""
    mode = positions.table(game).header.moderator
    by = By("moderator", verb.why)
    if verb.name in amending.VERBS and mode != "plays":
        return "asked", _ask_shown(work, game, tenure, verb, mail, in_reply_to)
    if verb.name in CONFIRMED and verb.name not in amending.VERBS:
        facts = _shown(work, game, verb)
        reader = people.reader_of(work, game, tenure, {})
        _ask(work, game, tenure, reader, verb, facts, mail, in_reply_to)
        return "asked", facts
    if mode == "plays" and verb.name in NEEDS_YES:
        return "proposed", _propose(work, game, verb, _seat_of(work, game, tenure))
    return "done", DOES[verb.name](work, game, by, verb)


def _ask(
    work: Work, game: Game, tenure: Tenure, reader: Reader, verb: Verb, facts: Facts, mail: int, in_reply_to: str
) -> None:
    turn = positions.current(work, game)
    named = verb.turn if verb.turn is not None else turn.number if turn is not None else None
    asked.ask(
        work,
        verb.name,
        reader,
        facts,
        cause=f"{mail}/{verb.line}",
        game=game,
        tenure=tenure,
        turn=named,
        in_reply_to=in_reply_to,
    )


def _ask_shown(work: Work, game: Game, tenure: Tenure, verb: Verb, mail: int, in_reply_to: str) -> Facts:
    """Show what a correction would change, and ask whether it is meant. Raises `RefusedByRules`, the look logged."""
    reader = people.reader_of(work, game, tenure, {})
    made = amending.show(work, game, By("moderator", verb.why), verb, reader)
    if made.refusal is not None:
        raise made.refusal
    _ask(
        work,
        game,
        tenure,
        reader,
        msgspec.structs.replace(verb, turn=made.facts["turn"]),
        made.facts,
        mail,
        in_reply_to,
    )
    for place, report in enumerate(made.reports):
        outbox.queue(
            work,
            f"preview/{game.tag}/{mail}/{verb.line}/{place}",
            reader.address,
            outbox.Envelope(report=report),
            game=game,
            tenure=tenure,
            turn=made.facts["turn"],
            in_reply_to=in_reply_to,
        )
    return {name: made.facts[name] for name in ("about", "turns", "titles") if name in made.facts}


def _shown(work: Work, game: Game, verb: Verb) -> Facts:
    """Return what a question or vote about a verb says, and the verb itself; what it names is looked up now."""
    turn = positions.current(work, game)
    facts: Facts = {"turn": turn.number if turn else 0, "why": verb.why, "what": verb.name}
    if verb.name in amending.VERBS:
        facts |= amending.demand_named(work, game, verb)
    elif verb.name not in ("hand-over", "rule"):
        facts["turn"] = moderation.this_turn(work, game, verb).number
    if verb.seat and verb.name not in amending.VERBS:
        seat = moderation.seat_of(work, game, verb)
        facts["titles"] = moderation.titles_of(work, game, seat)
    if verb.address:
        facts["address"] = moderation.address_of(verb)
        if verb.name == "hand-over":
            handing.refuse_who_holds_the_machine(work, game, facts["address"])
    facts |= {"span": verb.span, "when": verb.when, "text": "\n".join(verb.text) if verb.name == "rule" else ""}
    return {**facts, "verb": codec.plain(msgspec.structs.replace(verb, line=0, last=0))}


def confirmed(work: Work, row: Asked, facts: dict[str, Any], _mail: Opened) -> None:
    """Do a verb that its writer has confirmed; where he plays, lay it before the others (`confirmed.DOES`)."""
    game = work.game_by_id(row.game_id)
    verb: Verb = codec.from_plain(facts["verb"], Verb)
    if verb.name in amending.VERBS:
        amending.demand_same(work, game, facts)
    if positions.table(game).header.moderator == "plays" and verb.name in NEEDS_YES:
        tenure = work.session.get_one(Tenure, row.tenure_id)
        _propose(work, game, verb, _seat_of(work, game, tenure))
        return
    DOES[verb.name](work, game, By("moderator", verb.why), verb)


def _seat_of(work: Work, game: Game, tenure: Tenure) -> Seat:
    """Return the seat of a moderator who plays; his place where he holds none."""
    own = [one.seat for one in people.tenures(work, game) if one.player_id == tenure.player_id]
    return next(iter(own), tenure.seat)


def propose(work: Work, game: Game, seat: Seat, verb: Verb) -> Facts:
    """Lay a verb before the seats, where there is no moderator. Raises `RefusedByRules`."""
    return _propose(work, game, verb, seat)


def _propose(work: Work, game: Game, verb: Verb, seat: Seat) -> Facts:
    facts = _shown(work, game, verb)
    made = proposals.propose(work, game, verb.name, facts, seat, facts["turn"])
    return {**facts, "number": proposals.number(work, made)}


def carried(work: Work, game: Game, facts: dict[str, Any]) -> None:
    """Do a verb that the seats have agreed to (`carrying.CARRIES`)."""
    verb: Verb = codec.from_plain(facts["verb"], Verb)
    who: Literal["moderator", "players"] = "moderator" if people.moderator(work, game) is not None else "players"
    DOES[verb.name](work, game, By(who, verb.why), verb)
