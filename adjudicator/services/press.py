"""Press: players' letters, passed on word for word and framed so as not to pass for the judge (play-by-mail 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from adjudicator.fairplay import events
from adjudicator.letters import LineVerdict, Notice
from adjudicator.services import answers, logbook, outbox, people
from adjudicator.services.commands import PressBlock
from adjudicator.services.positions import Table
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Mail, Press, Tenure
from engine.core import codec
from engine.core.contract import EVERYONE, MODERATOR, Seat, Value
from engine.core.names import Ambiguous, Found, NotFound, find, joined
from mail.text import Line

_EVERYBODY: Final = ("всем", "all", "everybody", "everyone")
_JUDGE: Final = ("судье", "судья", "moderator", "judge")
_AND: Final = re.compile(r"\s*(?:,|;|\s+и\s+|\s+and\s+|&)\s*", re.IGNORECASE)


class Addressed(Value, frozen=True):
    """Whom a press block is for: seats, or the word that names nobody or several."""

    seats: tuple[Seat, ...] = ()
    unknown: str = ""
    suggestions: tuple[str, ...] = ()


def answer(work: Work, said: Said) -> None:
    """Make a letter that answers a press letter press back to its writer; with orders in it, do neither and ask."""
    letter = said.who.answered
    if letter is None or letter.kind != "press" or letter.game_id != said.table.game.id or said.heard.press:
        return
    envelope = outbox.envelope_of(work, letter)
    writer = str(envelope.notice.facts["seat"]) if envelope is not None and envelope.notice is not None else ""
    own = said.mail.own
    if not own or not writer or writer == said.tenure.seat:
        return
    if said.heard.intends:
        line = LineVerdict(text=own[0].raw.strip(), mark="command-refused", key="press-or-orders")
        said.heard.withdraw({0: line})
        return
    text = tuple(line.raw for line in own)
    said.heard.press.append((PressBlock(line=0, to=writer, text=text, closed=True, last=len(own) - 1), 0))


def pass_on(work: Work, said: Said) -> None:
    """Pass the press of a letter on, or say in its receipt why not."""
    for block, place in said.heard.press:
        to = addressed(work, said.table, said.tenure.seat, block.to)
        key, facts = _refusal(work, said, block, to)
        if not key:
            _send(work, said, block, place, to.seats)
            titles = people.seat_titles(work, said.table.game)
            facts["seats"] = [titles.get(seat, {}) for seat in to.seats]
        said.heard.lines[place] = LineVerdict(
            text=said.mail.own[place].raw.strip(),
            mark="command-refused" if key else "press",
            key=key or "press",
            facts=facts,
        )


def _refusal(work: Work, said: Said, block: PressBlock, to: Addressed) -> tuple[str, dict[str, Any]]:
    """Return why a block goes nowhere, "" if it goes; an unclosed one that holds an order does not."""
    table = said.table
    others = len(people.tenures(work, table.game)) - 1
    if to.unknown:
        return "press-unknown", {"typed": to.unknown, "suggestions": list(to.suggestions)}
    if not allowed(table, to.seats, others):
        return "press-forbidden", {"press": table.header.press}
    key = ""
    texts = [Line(number=0, raw=raw).text for raw in block.text]
    if not block.closed and answers.reads_as_intent(table, said.against.view, texts):
        key = "press-unclosed"
    elif not "".join(block.text).strip():
        key = "press-empty"
    return key, {"to": block.to, "lines": list(block.text)}


def addressed(work: Work, table: Table, writer: Seat, to: str) -> Addressed:
    """Return the seats that the first line of a press block names: by title, by holder's name, all, or the judge."""
    names = _names(work, table, writer)
    seats: list[Seat] = []
    for word in (part for part in _AND.split(to.strip()) if part):
        if joined(word) in _EVERYBODY:
            seats += [seat for seat in names if seat != MODERATOR]
        elif joined(word) in _JUDGE:
            seats.append(MODERATOR)
        else:
            match find(word, names):
                case Found(key):
                    seats.append(key)
                case Ambiguous(keys):
                    return Addressed(unknown=word, suggestions=tuple(names[key][0] for key in keys))
                case NotFound(suggestions):
                    return Addressed(unknown=word, suggestions=tuple(names[key][0] for key in suggestions))
    return Addressed(seats=tuple(dict.fromkeys(seats))) if seats else Addressed(unknown=to.strip())


def _names(work: Work, table: Table, writer: Seat) -> dict[Seat, list[str]]:
    titles = people.seat_titles(work, table.game)
    found: dict[Seat, list[str]] = {}
    for tenure in people.tenures(work, table.game):
        if tenure.seat != writer:
            names = [*titles[tenure.seat].values(), tenure.seat]
            if table.header.names == "shown":
                names.append(people.player(work, tenure.player_id).name)
            found[tenure.seat] = [name for name in names if name]
    return found


def allowed(table: Table, seats: Sequence[Seat], others: int) -> bool:
    """Say whether the game's header lets this press pass; the judge may always be written to."""
    players = [seat for seat in seats if seat != MODERATOR]
    if not players or table.header.press == "private":
        return True
    return table.header.press == "public" and len(players) == others


def _send(work: Work, said: Said, block: PressBlock, place: int, seats: Sequence[Seat]) -> None:
    """Send a press block: one letter to each reader, and an entry of the log that shows nothing of it."""
    table, tenure, mail, turn = said.table, said.tenure, said.mail.row, said.turn.number
    game = table.game
    text = "\n".join(block.text).strip("\n")
    readers = people.tenures(work, game)
    everybody = len([seat for seat in seats if seat != MODERATOR]) == len(readers) - 1
    to = EVERYONE if everybody and MODERATOR not in seats else tuple(seats)
    work.add(
        Press(
            game_id=game.id or 0,
            mail_id=mail.id or 0,
            turn=turn,
            seat=tenure.seat,
            recipients=codec.encode(to),
            text=work.vault.seal(text.encode()),
            arrival=mail.counts,
        )
    )
    part = events.PressPart(writer=tenure.seat, readers=to, text=text)
    logbook.append(
        work,
        game,
        events.Press(seq=0, at=logbook.at(mail.counts), turn=turn, private=""),
        private=part,
        audience={"-": tuple(dict.fromkeys((tenure.seat, *seats)))},
    )
    titles = people.seat_titles(work, game)
    facts = {
        "turn": turn,
        "seat": tenure.seat,
        "titles": titles[tenure.seat],
        "name": people.player(work, tenure.player_id).name,
        "to": [titles[seat] for seat in seats if seat in titles],
        "all": everybody,
        "text": text,
    }
    for reader in readers:
        if reader.seat in seats:
            _letter(work, table, reader, mail, place, facts, titles)
    if MODERATOR in seats:
        for address in work.config.service.operators:
            notice = Notice(kind="press", reader=outbox.operator(work, address), facts=facts, head=table.head)
            key = f"press/{game.tag}/{mail.id}/{place}/{MODERATOR}/{address}"
            outbox.queue(work, key, address, outbox.Envelope(notice=notice), game=game)


def _letter(
    work: Work,
    table: Table,
    reader: Tenure,
    mail: Mail,
    place: int,
    facts: dict[str, object],
    titles: dict[str, dict[str, str]],
) -> None:
    who = people.reader_of(work, table.game, reader, titles)
    notice = Notice(kind="press", reader=who, facts=facts, head=table.head, pin=logbook.pin(table.game))
    outbox.queue(
        work,
        f"press/{table.game.tag}/{mail.id}/{place}/{reader.seat}/{reader.id}",
        who.address,
        outbox.Envelope(notice=notice),
        game=table.game,
        tenure=reader,
    )
