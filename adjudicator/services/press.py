"""Press: players' letters, passed on word for word and framed so as not to pass for the judge (play-by-mail 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from msgspec.structs import replace
from sqlmodel import col, select

from adjudicator.fairplay import events
from adjudicator.letters import LineVerdict, Notice, Reader, Receipt
from adjudicator.services import answers, callings, hearing, logbook, mistyped, outbox, people, positions
from adjudicator.services.commands import PressBlock
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.positions import Table
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter, LogEntry, Mail, Press, Tenure
from engine.core import codec
from engine.core.contract import EVERYONE, MODERATOR, Note, Seat, Value
from engine.core.names import Ambiguous, Found, How, NotFound, find, joined
from mail.loops import IDENTICAL_ANSWERS, without_numbers
from mail.text import Line

_EVERYBODY: Final = ("всем", "all", "everybody", "everyone")
_JUDGE: Final = ("судье", "судья", "moderator", "judge")
_JUDGE_TOO: Final = ("картографу", "мастеру", "ведущему", "gm", "thegm", "cartographer", "thecartographer")
"""What whoever runs a campaign is called besides, unless somebody is called so."""
_AND: Final = re.compile(r"\s*(?:,|;|\s+и\s+|\s+and\s+|&)\s*", re.IGNORECASE)
DAY: Final = timedelta(days=1)
_LOOKED_AT: Final = 50
"""Press of a seat within a day that is compared with a new one."""
_BEFORE: Final = -1
"""The turn of press that is sent while no turn is open: before the start, or after the end."""


class Addressed(Value, frozen=True):
    """Whom a press block is for: seats, or the word that names nobody (or several, or the writer, or a free seat).

    ``mended`` are the names that had to be repaired: how, as typed, and who it is.
    """

    seats: tuple[Seat, ...] = ()
    mended: tuple[tuple[How, str, str], ...] = ()
    unknown: str = ""
    suggestions: tuple[str, ...] = ()
    why: str = "press-unknown"


# An answer to press ---------------------------------------------------------------------------------------------------


def answer(work: Work, said: Said) -> None:
    """Make a letter that answers a press letter press back to its writer; with orders in it, do neither and ask.

    The player says which by one word in answer to the receipt that asks: ``письмо`` (here) or ``приказы``
    (`services.confirming`).
    """
    letter, texts = said.who.answered, tuple(line.raw for line in said.mail.own)
    chosen = _chosen(work, said)
    if chosen is not None:
        letter, texts = chosen
    writer = writer_of(work, letter, said.table.game)
    if letter is None or writer is None or said.heard.press or not texts or writer.seat == said.tenure.seat:
        return
    if chosen is None and repeats(work, said.table.game, said.tenure.seat, texts):
        return
    if said.heard.intends:
        facts = {"letter": letter.id, "lines": list(texts)}
        line = LineVerdict(text=texts[0].strip(), mark="command-refused", key="press-or-orders", facts=facts)
        said.heard.withdraw({0: line})
        return
    hidden = writer.anonymous
    block = PressBlock(line=0, to="" if hidden else writer.seat, text=texts, closed=True, last=len(texts) - 1)
    said.heard.press.append((replace(block, back=writer.seat), 0))


def repeats(work: Work, game: Game, seat: Seat, texts: Sequence[str]) -> bool:
    """Say whether a seat has sent this press twice within a day, numbers apart: so a machine answers, not a player."""
    text = without_numbers("\n".join(texts).strip("\n"))
    query = select(Press).where(Press.game_id == game.id, Press.seat == seat, col(Press.arrival) > work.now - DAY)
    rows = work.session.exec(query.order_by(col(Press.id).desc()).limit(_LOOKED_AT)).all()
    alike = sum(without_numbers(work.vault.open(row.text).decode()) == text for row in rows)
    return alike >= IDENTICAL_ANSWERS


def writer_of(work: Work, letter: Letter | None, game: Game) -> Press | None:
    """Return the press that a letter of ours passed on, None if it is no such letter of this game."""
    if letter is None or letter.kind != "press" or letter.game_id != game.id:
        return None
    return work.session.get(Press, int(letter.key.split("/")[2]))


def _chosen(work: Work, said: Said) -> tuple[Letter | None, tuple[str, ...]] | None:
    """Return the press letter and the lines that ``письмо`` in answer to a receipt makes press back to its writer."""
    short = mistyped.short_answer(said.mail.texts)
    if short is None or short.choice != "press":
        return None
    receipt = receipt_answered(work, said.who)
    for line in receipt.lines if receipt is not None else ():
        if line.key == "press-or-orders":
            return work.session.get(Letter, line.facts["letter"]), tuple(line.facts["lines"])
    return None


def receipt_answered(work: Work, who: Speaker) -> Receipt | None:
    """Return the receipt that a letter answers, if it was given to a seat its writer may speak for."""
    if who.answered is None or who.answered.kind != "receipt":
        return None
    envelope = outbox.envelope_of(work, who.answered)
    receipt = envelope.receipt if envelope is not None else None
    return receipt if receipt and receipt.reader.seat in [tenure.seat for tenure in who.tenures] else None


# Passing it on --------------------------------------------------------------------------------------------------------


def pass_on(work: Work, said: Said) -> None:
    """Pass the press of a letter on, or say in its receipt why not."""
    for block, place in said.heard.press:
        texts = [Line(number=0, raw=raw).text for raw in block.text]
        ordered = not block.closed and answers.reads_as_intent(said.table, said.against.view, texts)
        line = send(work, said.table, said.tenure, said.mail.row, said.turn.number, block, holds_orders=ordered)
        text = said.mail.own[place].raw.strip()
        said.heard.lines[place] = replace(line, text=text, notes=(*hearing.repair_notes(block, text), *line.notes))


def send(
    work: Work, table: Table, writer: Tenure, mail: Mail, turn: int, block: PressBlock, *, holds_orders: bool = False
) -> LineVerdict:
    """Send a press block of a seat or of the moderator, and return its line in the receipt, without its text.

    ``holds_orders``: the block is not closed, and a line of it reads as an order or command: it goes nowhere (2).
    """
    to = _meant(work, table, writer.seat, block)
    key, facts = _refusal(work, table, writer, block, to, holds_orders=holds_orders)
    if key:
        return LineVerdict(text="", mark="command-refused", key=key, facts=facts)
    unsigned = bool(block.back) and not block.to
    _send(work, table, writer, mail, turn, "\n".join(block.text).strip("\n"), to.seats, unsigned=unsigned)
    titles = people.seat_titles(work, table.game) | callings.titles(work, table)
    facts |= {"seats": [titles.get(seat, {}) for seat in to.seats], "unsigned": unsigned}
    if unsigned:
        facts["seats"] = []
    facts["read"] = _copied(table, writer.seat, to.seats)
    notes = [
        Note(kind="repaired", key=f"command-{how}", facts={"typed": typed, "read": read})
        for how, typed, read in to.mended
    ]
    return LineVerdict(text="", mark="press", key="press", facts=facts, notes=tuple(notes))


def _refusal(
    work: Work, table: Table, writer: Tenure, block: PressBlock, to: Addressed, *, holds_orders: bool
) -> tuple[str, dict[str, Any]]:
    """Return why a block goes nowhere, "" if it goes; an unclosed one that holds an order does not."""
    if not to.seats:
        return to.why, {"typed": to.unknown, "suggestions": list(to.suggestions)}
    if not allowed(table, writer.seat, to.seats, _others(work, table, writer.seat)):
        return "press-forbidden", {"press": table.header.press}
    key = ""
    if holds_orders:
        key = "press-unclosed"
    elif not "".join(block.text).strip():
        key = "press-empty"
    return key, {"to": block.to, "lines": list(block.text)}


def _others(work: Work, table: Table, writer: Seat) -> int:
    return sum(tenure.seat != writer for tenure in people.tenures(work, table.game))


def _meant(work: Work, table: Table, writer: Seat, block: PressBlock) -> Addressed:
    """Return whom a block is for: for press back the writer, whose name an answerer to unsigned press may not know."""
    if not block.back:
        return addressed(work, table, writer, block.to)
    held = [tenure.seat for tenure in people.tenures(work, table.game)]
    if block.back in held or block.back == MODERATOR:
        return Addressed(seats=(block.back,))
    return Addressed(why="press-gone")


def addressed(work: Work, table: Table, writer: Seat, to: str) -> Addressed:
    """Return the seats that the first line of a press block names: by title, by holder's name, all, or the judge."""
    held = {tenure.seat: tenure for tenure in people.tenures(work, table.game)}
    names = _names(work, table, held)
    known = _labels(work, table, held, writer)
    seats: list[Seat] = []
    mended: list[tuple[How, str, str]] = []
    for word in (part for part in _AND.split(to.strip()) if part):
        if joined(word) in _EVERYBODY:
            seats += [seat for seat in names if seat in held and seat != writer]
        elif joined(word) in _JUDGE or (joined(word) in _JUDGE_TOO and not isinstance(find(word, names), Found)):
            seats.append(MODERATOR)
        else:
            match find(word, names):
                case Found(key) if key == writer:
                    return Addressed(unknown=word, why="press-self")
                case Found(key) if key not in held:
                    return Addressed(unknown=word, why="press-free")
                case Found(key, how):
                    seats.append(key)
                    mended += [(how, word, known.get(key, key))] if how not in ("exact", "declined") else []
                case Ambiguous(keys):
                    return Addressed(unknown=word, suggestions=tuple(known[key] for key in keys if key in known))
                case NotFound(suggestions):
                    return Addressed(unknown=word, suggestions=tuple(known[key] for key in suggestions if key in known))
    if not seats:
        return Addressed(unknown=to.strip())
    return Addressed(seats=tuple(dict.fromkeys(seats)), mended=tuple(mended))


def _names(work: Work, table: Table, held: dict[Seat, Tenure]) -> dict[Seat, list[str]]:
    """Return the names of every seat, a free one too: whoever writes to it shall hear that nobody is there."""
    found: dict[Seat, list[str]] = {}
    called = callings.names(work, table)
    for seat, titles in people.seat_titles(work, table.game).items():
        names = [*titles.values(), seat, *called.get(seat, ())]
        if seat in held and table.header.names == "shown":
            names.append(people.player(work, held[seat].player_id).name)
        found[seat] = [name for name in names if name]
    return found


def _labels(work: Work, table: Table, held: dict[Seat, Tenure], writer: Seat) -> dict[Seat, str]:
    """Return how the seats that may be written to are suggested to a writer, in his language."""
    tenure = held.get(writer) or people.moderator(work, table.game)
    language = people.player(work, tenure.player_id).language if tenure is not None else "ru"
    titles = people.seat_titles(work, table.game) | callings.titles(work, table)
    shown = table.header.names == "shown"
    found = {}
    for seat, holder in held.items():
        if seat != writer:
            name = f" ({people.player(work, holder.player_id).name})" if shown else ""
            found[seat] = f"{titles[seat].get(language) or next(iter(titles[seat].values()))}{name}"
    return found


def allowed(table: Table, writer: Seat, seats: Sequence[Seat], others: int) -> bool:
    """Say whether the game's header lets this press pass; the judge may always be written to, and may always write."""
    players = [seat for seat in seats if seat != MODERATOR]
    if not players or writer == MODERATOR or table.header.press in ("private", "anonymous"):
        return True
    return table.header.press == "public" and len(players) == others


def _copied(table: Table, writer: Seat, seats: Sequence[Seat]) -> bool:
    """Say whether the judge gets a copy: where the header says he reads press, of what is not his own (0)."""
    return table.header.press_read and MODERATOR not in (writer, *seats)


def _send(
    work: Work, table: Table, writer: Tenure, mail: Mail, turn: int, text: str, seats: Sequence[Seat], *, unsigned: bool
) -> None:
    """Send a press letter to each reader, and enter in the log that there was one, which shows nothing of it."""
    game, others = table.game, [seat for seat in seats if seat != MODERATOR]
    everybody = bool(others) and len(others) == _others(work, table, writer.seat)
    anonymous = table.header.press == "anonymous" and bool(others) and writer.seat != MODERATOR
    to = EVERYONE if everybody and MODERATOR not in seats else tuple(seats)
    row = work.add(
        Press(
            game_id=game.id or 0,
            mail_id=mail.id or 0,
            turn=turn,
            seat=writer.seat,
            recipients=codec.encode(to),
            text=work.vault.seal(text.encode()),
            arrival=mail.counts,
            anonymous=anonymous,
        )
    )
    # Who may open the part at once learns who wrote it to whom: not the readers of unsigned press, nor who answers it.
    knows = (() if unsigned else (writer.seat,)) + (() if anonymous else tuple(seats))
    logbook.append(
        work,
        game,
        events.Press(seq=0, at=logbook.at(mail.counts), turn=turn, private=""),
        private=events.PressPart(writer=writer.seat, readers=to, text=text, anonymous=anonymous),
        audience={"-": tuple(dict.fromkeys(knows))},
    )
    signed = _facts(work, table, row, writer, seats, text, everybody=everybody)
    shown = _unsigned(signed) if anonymous else signed
    titles = people.seat_titles(work, game)
    for reader in people.tenures(work, game):
        if reader.seat in seats:
            who = people.reader_of(work, game, reader, titles)
            _letter(work, table, f"press/{game.tag}/{row.id}", who, shown, reader)
    if MODERATOR in seats:
        _to_judge(work, table, f"press/{game.tag}/{row.id}", signed)
    if _copied(table, writer.seat, seats):
        _to_judge(work, table, f"press-copy/{game.tag}/{row.id}", {**signed, "copy": True})


def _facts(
    work: Work, table: Table, row: Press, writer: Tenure, seats: Sequence[Seat], text: str, *, everybody: bool
) -> dict[str, Any]:
    titles = people.seat_titles(work, table.game) | callings.titles(work, table)
    shown = table.header.names == "shown" and writer.seat != MODERATOR
    return {
        "turn": row.turn,
        "seat": writer.seat,
        "titles": titles.get(writer.seat, {}),
        "name": people.player(work, writer.player_id).name if shown else "",
        "to": [titles[seat] for seat in seats if seat in titles],
        "judge": MODERATOR in seats,
        "all": everybody,
        "text": text,
        "by": "moderator" if writer.seat == MODERATOR else "player",
        "read": table.header.press_read,
        "published": table.header.press_published,
    }


def _unsigned(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a press letter without its writer."""
    return {**facts, "seat": "", "titles": {}, "name": "", "by": "unsigned"}


def _letter(work: Work, table: Table, key: str, who: Reader, facts: dict[str, Any], tenure: Tenure | None) -> None:
    game = table.game
    notice = Notice(
        kind="press", reader=who, facts=facts, head=table.head, pin=logbook.pin(game) if tenure is not None else None
    )
    reader = f"{tenure.seat}/{tenure.id}" if tenure is not None else f"{MODERATOR}/{who.address}"
    outbox.queue(work, f"{key}/{reader}", who.address, outbox.Envelope(notice=notice), game=game, tenure=tenure)


def _to_judge(work: Work, table: Table, key: str, facts: dict[str, Any]) -> None:
    """Send a letter to the moderator, to the operators where the game has none."""
    judge = people.moderator(work, table.game)
    if judge is not None:
        _letter(work, table, key, people.reader_of(work, table.game, judge, {}), facts, judge)
        return
    for address in work.config.service.operators:
        _letter(work, table, key, outbox.operator(work, address), {**facts, "desk": True}, None)


# While no turn is open ------------------------------------------------------------------------------------------------


def outside(work: Work, mail: Opened, who: Speaker, game: Game) -> dict[str, int]:
    """Pass on what a letter to a game without an open turn has for the judge, who may always be written to.

    Return how many press blocks went to him, and how many for players were kept back: none passes before the start or
    after the end. A letter that answers press counts as one for its writer.
    """
    table = positions.table(game)
    writer = next(iter(who.tenures), None)
    invitation = who.invitation if who.invitation is not None and who.invitation.join_id else None
    found = {"judge": 0, "press": 0}
    for read in mail.plan.press:
        block = hearing.as_written(read, mail.own)
        words = [joined(word) for word in _AND.split(block.to.strip()) if word]
        text = "\n".join(block.text).strip("\n")
        if not text or not words or not all(word in _JUDGE for word in words) or not (writer or invitation):
            found["press"] += 1
            continue
        found["judge"] += 1
        seat = writer.seat if writer is not None else invitation.join_id if invitation is not None else ""
        name = people.player(work, writer.player_id).name if writer else invitation.name if invitation else ""
        row = work.add(
            Press(
                game_id=game.id or 0,
                mail_id=mail.row.id or 0,
                turn=_BEFORE,
                seat=seat,
                recipients=codec.encode((MODERATOR,)),
                text=work.vault.seal(text.encode()),
                arrival=mail.row.counts,
            )
        )
        titles = people.seat_titles(work, game).get(seat, {})
        facts = {"turn": _BEFORE, "seat": seat, "titles": titles, "name": name, "to": [], "judge": True, "all": False}
        facts |= {"text": text, "by": "player", "read": False, "published": False}
        _to_judge(work, table, f"press/{game.tag}/{row.id}", facts)
    if not any(found.values()) and writer_of(work, who.answered, game) is not None:
        found["press"] = 1
    return found


# At the end -----------------------------------------------------------------------------------------------------------


def published(work: Work, game: Game) -> tuple[dict[str, Any], ...]:
    """Return the press of a game as its last letter and its archive print it: nothing if the header does not say so.

    What was written to the judge alone stays with him; unsigned press stays unsigned, its readers too.
    """
    table = positions.table(game)
    if not table.header.press_published:
        return ()
    titles = people.seat_titles(work, game)
    rows = work.session.exec(select(Press).where(Press.game_id == game.id).order_by(col(Press.id))).all()
    found = []
    for row in rows:
        to: tuple[Seat, ...] = codec.decode(row.recipients, tuple[Seat, ...])
        if to == (MODERATOR,):
            continue
        signed = {"titles": titles.get(row.seat, {}), "to": [titles[seat] for seat in to if seat in titles]}
        by = "unsigned" if row.anonymous else "moderator" if row.seat == MODERATOR else "player"
        shown = {"titles": {}, "to": []} if row.anonymous else signed
        text = work.vault.open(row.text).decode()
        if not text:  # its writer has had himself forgotten (8)
            continue
        found.append({"turn": row.turn, "by": by, "all": to == EVERYONE, "text": text, **shown})
    return tuple(found)


def open_published(work: Work, game: Game) -> None:
    """Open the log's parts of the press that is published; of unsigned press the part names its writer, so not (7)."""
    if not positions.table(game).header.press_published:
        return
    entries = select(LogEntry).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"press"%'))
    for entry in work.session.exec(entries.order_by(col(LogEntry.seq))).all():
        for part in logbook.kept_parts(work, entry):
            if not part.object.get("anonymous") and part.object.get("to") != [MODERATOR]:
                logbook.open_part(work, game, entry.seq, part.name or "-")
