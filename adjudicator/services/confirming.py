"""Short answers to what we ask: ``да`` for a held mail or edited lines, ``на ход 8`` for late ones (play-by-mail 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
from sqlmodel import select

from adjudicator.letters import LineVerdict, Notice
from adjudicator.services import commands, logbook, mistyped, opened, outbox, parts, people, positions, press, verdicts
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Mail, Tenure
from mail.addresses import canonical
from mail.text import Line

_SAID_AGAIN: Final = ("ready", "not-ready", "wait", "no-wait", "draft", "clear", "anew")


def held_mail(work: Work, mail: Opened, who: Speaker, tenure: Tenure) -> tuple[Opened, bool] | None:
    """Return the held mail that ``да`` or ``нет`` in answer to «was it you?» is about, and whether it is a yes (4)."""
    answer = mistyped.short_answer(mail.texts)
    letter = who.answered
    plain = answer is not None and answer.turn is None and not answer.choice
    if answer is None or not plain or letter is None or letter.kind != "held":
        return None
    _, *part, number = letter.key.split("/")
    row = work.session.exec(select(Mail).where(Mail.id == int(number))).one()
    own = [canonical(address) for address in people.addresses(work, tenure.player_id)]
    game = work.session.get_one(Game, tenure.game_id)
    held = verdicts.is_held(work, row, game.id) and (not part or part == [game.tag])
    if not held or row.raw is None or not (letter.tenure_id == tenure.id or canonical(row.sender) in own):
        return None
    raw = work.vault.open(row.raw)
    whole = opened.parted(work, Opened(row, raw, opened.read(work, raw, "")), who)
    return parts.of_game(whole, game.tag, own=not part), not answer.no


def deny(work: Work, mail: Opened, held: Mail, game: Game, tenure: Tenure) -> None:
    """Drop a held mail, as its supposed writer says that he did not write it, and tell him so."""
    verdicts.hold(work, held, game.id, "")
    if held.verdict == "held":
        verdicts.settle(work, held, "empty", "denied")
    verdicts.settle(work, mail.row, "orders", f"denies {held.id}")
    reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
    facts = {"subject": held.subject, "sender": held.sender, "mail": held.id}
    notice = Notice(
        kind="held-denied", reader=reader, facts=facts, head=positions.table(game).head, pin=logbook.pin(game)
    )
    outbox.queue(
        work,
        f"held-denied/{game.tag}/{held.id}/{mail.row.id}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=game,
        tenure=tenure,
        in_reply_to=mail.row.message_id,
    )


def confirmed_lines(work: Work, mail: Opened, who: Speaker) -> tuple[Opened, int | None]:
    """Return the mail with the lines that a short answer confirms in its place, and the turn it names for them.

    ``да`` takes the lines that were edited inside a quote (3.3) and sends press that was not closed, ``на ход 8`` takes
    the lines that came too late (4), ``приказы`` those that answered a press letter. In answer to a proposal ``да`` and
    ``нет`` are votes. Any other mail is returned as it is.
    """
    answer = mistyped.short_answer(mail.texts)
    if answer is not None and who.answered is not None and who.answered.kind == "proposal":
        return _with_lines(mail, _as_vote(answer) or mail.texts), None
    receipt = press.receipt_answered(work, who) if answer is not None else None
    if answer is None or answer.no or receipt is None:
        return mail, None
    if answer.turn is not None:
        texts = [line.text for line in receipt.lines if receipt.late and _was_order(line)]
    elif answer.choice:
        texts = [text for line in receipt.lines for text in _as_orders(line, answer.choice)]
    else:
        texts = [line.text for line in receipt.edited_quote]
        texts += [text for line in receipt.lines for text in _as_press(line)]
    if not texts:
        return mail, None
    return _with_lines(mail, texts), answer.turn


def _with_lines(mail: Opened, texts: Sequence[str]) -> Opened:
    """Return a mail whose own words are these lines."""
    own = tuple(Line(number=number, raw=text) for number, text in enumerate(texts))
    text = msgspec.structs.replace(mail.reading.text, own=own, set_aside=())
    return replace(mail, reading=msgspec.structs.replace(mail.reading, text=text))


def _as_vote(answer: commands.ShortAnswer) -> list[str]:
    """Return the vote that ``да`` or ``нет`` is in answer to a proposal (2)."""
    if answer.turn is not None or answer.choice:
        return []
    return ["голос нет" if answer.no else "голос да"]


def _as_press(line: LineVerdict) -> list[str]:
    """Return a press block that was kept back because it was not closed, closed (2)."""
    if line.key != "press-unclosed":
        return []
    return [f"письмо {line.facts['to']}:", *line.facts["lines"], "конец письма"]


def _as_orders(line: LineVerdict, choice: commands.Choice) -> list[str]:
    """Return the lines of an answer to press that its writer now calls orders (2)."""
    return list(line.facts["lines"]) if line.key == "press-or-orders" and choice == "orders" else []


def _was_order(line: LineVerdict) -> bool:
    """Say whether a line of a receipt changes orders or the seat's word: it can be said again for another turn."""
    return line.mark in ("ok", "cut", "refused") or (line.mark == "command" and line.key in _SAID_AGAIN)
