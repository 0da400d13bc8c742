"""Held and quarantined mail in the moderator's hands: shown, released, dropped; each is logged (3.4, 6)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.services import (
    identity,
    moderation,
    opened,
    parts,
    people,
    positions,
    replies,
    speaking,
    verdicts,
)
from adjudicator.services.identity import Speaker
from adjudicator.services.moderation import By, Facts
from adjudicator.services.opened import Opened
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, MailGame, Tenure

SHOWN: Final = 60
"""Lines of a mail that are shown."""
_LINE: Final = 300


def waiting(work: Work, game: Game) -> Sequence[Mail]:
    """Return the mails of a game that wait for a word: held, and quarantined ones, oldest first."""
    held = (col(Mail.verdict) == "held") | (col(MailGame.held) != "")
    query = (
        select(Mail)
        .join(MailGame, col(MailGame.mail_id) == col(Mail.id))
        .where(MailGame.game_id == game.id, held | (col(Mail.verdict) == "quarantined"), col(Mail.twin).is_(None))
    )
    return work.session.exec(query.order_by(col(Mail.id))).all()


def _mail(work: Work, game: Game, number: int | None) -> Mail:
    found = next((row for row in waiting(work, game) if row.id == number), None)
    if found is None:
        raise RefusedByRules("no-mail", number=number, numbers=[row.id for row in waiting(work, game)])
    return found


def _in_hand(work: Work, row: Mail, game: Game) -> tuple[Opened, Speaker]:
    """Return a mail as it is read for a game, as though its sender were proven."""
    if row.raw is None:
        raise RefusedByRules("mail-gone", number=row.id)
    raw = work.vault.open(row.raw)
    reading = opened.read(work, raw, "")
    who = identity.speaker(work, reading, trusted=True, about=game)
    mail = opened.parted(work, Opened(row, raw, reading), who)
    own = identity.speaker(work, reading, trusted=True).game
    return parts.of_game(mail, game.tag, own=own is None or own.id == game.id), who


def show(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Show a held mail's own lines and those set aside; the look is logged."""
    row = _mail(work, game, verb.number)
    mail, _ = _in_hand(work, row, game)
    turn = positions.current(work, game)
    moderation.look(work, game, by, "mail", turn.number if turn else None)
    aside = [one.line.raw.strip()[:_LINE] for one in mail.reading.text.set_aside[:SHOWN]]
    return {**about(row), "lines": [line.raw[:_LINE] for line in mail.own[:SHOWN]], "aside": aside}


def about(row: Mail) -> Facts:
    """Return what may be said of a mail to everybody who handles mail: sender and time, never its words."""
    return {"number": row.id, "sender": row.sender, "arrival": iso(row.arrival), "why": row.why, "verdict": row.verdict}


def release(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Let a held mail speak for its registered sender, from its own arrival; its writer gets the receipt."""
    row = _mail(work, game, verb.number)
    mail, who = _in_hand(work, row, game)
    own = _tenures(work, game, row)
    if not own or row.verdict == "quarantined":
        raise RefusedByRules("mail-of-nobody", number=row.id, sender=row.sender)
    moderation.note(work, game, by, f"release {row.id}")
    proven = dataclasses.replace(who, doubt="", proof="trusted source", game=game, tenures=own, answered=who.answered)
    verdicts.hold(work, row, game.id, "")
    identity.keep_confirmation(work, row, "moderator")
    speaking.for_game(work, mail, proven, game)
    return about(row)


def _tenures(work: Work, game: Game, row: Mail) -> list[Tenure]:
    holders = [person.id for person in people.holders_of(work, row.sender)] if row.sender else []
    return [tenure for tenure in people.tenures(work, game) if tenure.player_id in holders]


def speaks_for_somebody(work: Work, game: Game, row: Mail) -> bool:
    """Say whether a mail is from a registered address of somebody who plays."""
    return bool(_tenures(work, game, row))


def drop(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Set a held mail aside for good; a registered sender is told."""
    row = _mail(work, game, verb.number)
    moderation.note(work, game, by, f"drop {row.id}")
    verdicts.hold(work, row, game.id, "")
    verdicts.settle(work, row, "empty", "dropped")
    facts: dict[str, Any] = {"why": by.why, "who": by.who, "tag": game.tag}
    if row.raw is not None:
        raw = work.vault.open(row.raw)
        replies.polite(work, Opened(row, raw, opened.read(work, raw, "")), "mail-dropped", facts)
    return about(row)
