"""A letter about its writer and no turn: games, language, zone, address; words for the dice before the start (2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from adjudicator.fairplay import chain, events
from adjudicator.letters import Notice, Reader
from adjudicator.services import (
    addresses,
    answers,
    commands,
    hearing,
    logbook,
    outbox,
    people,
    positions,
    seeds,
    verdicts,
    zones,
)
from adjudicator.services.commands import Command
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, Player
from mail.addresses import canonical

Line: TypeAlias = dict[str, Any]
"""A line of the answer: text as written, mark, key of its phrase, facts."""

ABOUT_HIMSELF: Final = ("games", "language", "zone", "salt", "address")


def heard(work: Work, mail: Opened, who: Speaker, game: Game | None) -> bool:
    """Do what a letter says of its writer alone, if it says nothing else; return whether it was one."""
    plan = mail.plan
    about = [command for command in plan.commands if command.name in ABOUT_HIMSELF]
    if not about or len(about) != len(plan.commands) or plan.press or not who.players or who.doubt:
        return False
    seats = {tenure.player_id for tenure in who.tenures}
    if who.invitation is not None and who.invitation.player_id is not None:
        seats.add(who.invitation.player_id)
    persons = [person for person in who.players if person.id in seats] or list(who.players)
    joined = who.invitation if who.invitation is not None and who.invitation.joined is not None else None
    lines = [_line(work, mail, persons, command, joined, game) for command in about]
    verdicts.settle(work, mail.row, "orders", "settings")
    facts: dict[str, Any] = {"lines": lines, "zone": persons[0].zone}
    if any(command.name == "games" for command in about):
        facts |= {"games": answers.games_of(work, who.players), "open": answers.open_games(work)}
    _answer(work, mail, who, persons[0], facts)
    return True


def _line(
    work: Work,
    mail: Opened,
    persons: Sequence[Player],
    command: Command,
    joined: Invitation | None,
    game: Game | None,
) -> Line:
    text = mail.own[command.line].raw.strip()
    match command.name:
        case "language":
            return _set(work, persons, text, "language", command.argument, _language)
        case "zone":
            return _set(work, persons, text, "zone", command.argument, zones.resolve)
        case "salt":
            return _salt(work, mail, text, joined, game)
        case "address":
            found = addresses.ask(work, persons[0], command.argument, f"{mail.row.id}", text)
            return {"text": text, "mark": found.mark, "key": found.key, "facts": found.facts}
        case _:
            return _said(text, "command", "games")


def _set(
    work: Work,
    persons: Sequence[Player],
    text: str,
    name: str,
    typed: str,
    understand: Callable[[str], str | None],
) -> Line:
    value = understand(typed)
    if value is None:
        return _said(text, "command-refused", f"unknown-{name}", typed=typed)
    for person in persons:
        setattr(person, name, value)
        work.session.add(person)
    return _said(text, "command", name, **{name: value})


def _language(typed: str) -> str | None:
    return hearing.LANGUAGES.get(typed.casefold())


def _salt(work: Work, mail: Opened, text: str, joined: Invitation | None, game: Game | None) -> Line:
    """Take the first phrase of somebody who has joined a game that has not begun (fair-play 2)."""
    phrase = commands.phrase_of(text)
    if joined is None or game is None or game.status != "created" or joined.game_id != game.id:
        return _said(text, "command-refused", "salt-nowhere")
    if not seeds.keep_phrase(work, game, joined.join_id, phrase, 1, automatic=False):
        beacon = positions.table(game).header.dice == "beacon"
        return _said(text, "command-refused", "salt-beacon" if beacon else "salt-kept")
    part = events.PhrasePart(row=joined.join_id, phrase=chain.normalised(phrase))
    at = logbook.at(mail.row.counts)
    logbook.append(work, game, events.Phrase(seq=0, at=at, turn=None, batch=1, private=""), private=part)
    return _said(text, "command", "salt", phrase=chain.normalised(phrase))


def _said(text: str, mark: str, key: str, **facts: Any) -> Line:
    return {"text": text, "mark": mark, "key": key, "facts": facts}


def _answer(work: Work, mail: Opened, who: Speaker, person: Player, facts: dict[str, Any]) -> None:
    """Answer to the main address, and to the one written from."""
    for address in dict.fromkeys((people.main_address(work, person), canonical(who.address))):
        reader: Reader = answers.reader(work, person, address)
        outbox.queue(
            work,
            f"settings/{mail.row.id}/{address}",
            address,
            outbox.Envelope(notice=Notice(kind="settings", reader=reader, facts=facts)),
            in_reply_to=mail.row.message_id,
        )
