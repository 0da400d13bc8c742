"""The moderator's letters: each line heard, each verb done or not, one answer that says so line by line (6, 1.9)."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict, Notice, Reader
from adjudicator.services import (
    answers,
    caps,
    commands,
    confirming,
    desking,
    hearing,
    identity,
    logbook,
    mandate,
    moderation,
    outbox,
    parts,
    people,
    positions,
    press,
    previews,
    releasing,
    replies,
    speaking,
    verbs,
    verdicts,
    zones,
)
from adjudicator.services.commands import PressBlock
from adjudicator.services.identity import Speaker
from adjudicator.services.moderation import By, Facts
from adjudicator.services.opened import Opened
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter, Tenure
from engine.core.contract import MODERATOR, Language

_SHOWN: Final = 40
"""Lines of a letter that its answer speaks of."""

Line: TypeAlias = dict[str, Any]
"""A line of the answer: text as written, mark (``done``, ``asked``, ``proposed``, ``refused``), key, facts."""


def speaks(mail: Opened, who: Speaker) -> Tenure | None:
    """Return the moderator's tenure if it is he who speaks in a mail, and not a player that he may be as well."""
    judge = next((tenure for tenure in who.tenures if tenure.seat == MODERATOR), None)
    named = [command.argument for command in mail.plan.commands if command.name == "seat"]
    if judge is None or (named and commands.folded(named[0]) not in moderation.PLACE):
        return None
    return judge if len(who.tenures) == 1 or named else None


def hear(work: Work, mail: Opened, who: Speaker, game: Game, judge: Tenure) -> None:
    """Do what the moderator's letter says, in the order of its lines, and answer once."""
    answered = confirming.held_mail(work, mail, who, judge)
    if answered is not None:
        held, yes = answered
        if not yes:
            confirming.deny(work, mail, held.row, game, judge)
            return
        verdicts.release(work, held.row, game.id)
        identity.keep_confirmation(work, held.row, "writer")
        hear(work, held, dataclasses.replace(who, answered=None), game, judge)
        verdicts.settle(work, mail.row, "orders", f"confirms {held.row.id}")
        return
    found, unread = verbs.read(mail.texts, speaking.spans_of_moderator(work, mail, game, judge))
    if not found and speaking.for_moderator(work, mail, who, game, judge):
        return
    if found and unread and positions.table(game).ruleset.info.moderated:
        rest = parts.only(mail, unread)
        if speaking.for_moderator(work, rest, who, game, judge):
            unread = ()
    settings, unread = _settings(work, mail, game, judge, unread)
    if not found and not settings:
        if not _press_back(work, mail, who, game, judge):
            verdicts.settle(work, mail.row, "empty", "no-verb")
            facts = {"verbs": _words(work, game, judge), "examples": _examples(work, game, judge)}
            replies.polite(work, mail, "moderator-help", facts, who=who, game=game)
        return
    verdicts.settle(work, mail.row, "orders", "moderator")
    about = _turn_about(mail, who.answered, game)
    lines = dict(settings)
    extras: Facts = {}
    for verb in found:
        lines[verb.line] = _line(work, mail, game, judge, _about(verb, about), extras)
    for place in unread[:_SHOWN]:
        lines[place] = _unread(mail.texts[place])
    _answer(work, mail, game, judge, [lines[place] for place in sorted(lines)], extras)


def _press_back(work: Work, mail: Opened, who: Speaker, game: Game, judge: Tenure) -> bool:
    """Pass an answer to a player's press letter back to its writer (play-by-mail 2)."""
    writer = press.writer_of(work, who.answered, game)
    if writer is None or not mail.own:
        return False
    if press.repeats(work, game, judge.seat, [line.raw for line in mail.own]):
        return False
    text = tuple(line.raw for line in mail.own)
    to = "" if writer.anonymous else writer.seat
    _send(work, mail, game, judge, PressBlock(0, to, text, closed=True, last=len(text) - 1, back=writer.seat))
    verdicts.settle(work, mail.row, "orders", "press")
    return True


def _send(work: Work, mail: Opened, game: Game, judge: Tenure, block: PressBlock) -> LineVerdict:
    turn = positions.current(work, game)
    return press.send(work, positions.table(game), judge, mail.row, turn.number if turn else 0, block)


def _press(work: Work, mail: Opened, game: Game, judge: Tenure, verb: Verb) -> Line:
    """Send the moderator's own press; what he writes to a player comes back to him when it is answered."""
    block = PressBlock(line=verb.line, to=verb.seat, text=verb.text, closed=True, last=verb.last)
    sent = _send(work, mail, game, judge, block)
    mark = "refused" if sent.mark == "command-refused" else "done"
    return _did(mail.texts[verb.line], mark, sent.key, dict(sent.facts))


def _turn_about(mail: Opened, answered: Letter | None, game: Game) -> int | None:
    """Return the turn that the letter is about as a whole: a line ``ход 7``, else that of the letter it answers."""
    for text in mail.texts:
        command = commands.read_command(text)
        if command is not None and command.name == "turn":
            return int(command.argument)
    return answered.turn if answered is not None and answered.game_id == game.id else None


def _about(verb: Verb, turn: int | None) -> Verb:
    return msgspec.structs.replace(verb, turn=turn) if verb.turn is None else verb


def _settings(
    work: Work, mail: Opened, game: Game, judge: Tenure, unread: Sequence[int]
) -> tuple[dict[int, Line], tuple[int, ...]]:
    """Take ``язык``, ``зона`` and, where he is told of turns like a seat, ``отчёт``.

    What else players may write about the letter as a whole is no line to answer.
    """
    found: dict[int, Line] = {}
    left = []
    person = people.player(work, judge.player_id)
    for place in unread:
        text = mail.texts[place]
        command = commands.read_command(text)
        name = command.name if command is not None else ""
        typed = command.argument if command is not None else ""
        if name == "language" and (language := hearing.LANGUAGES.get(typed.casefold())):
            person.language = language
            found[place] = _did(text, "done", "language", {"language": language})
        elif name == "zone" and (zone := zones.resolve(typed)):
            person.zone = zone
            found[place] = _did(text, "done", "zone", {"zone": zone})
        elif name == "report" and positions.table(game).ruleset.info.moderated:
            found[place] = _report(work, mail, game, judge, text, typed)
        elif name not in ("turn", "seat"):
            left.append(place)
    work.session.add(person)
    return found, tuple(left)


def _report(work: Work, mail: Opened, game: Game, judge: Tenure, text: str, number: str) -> Line:
    """Send the moderator a report of his again, or say that there was none."""
    table, language = positions.table(game), people.player(work, judge.player_id).language
    refusal = answers.refusal(work, table, judge, language, "report", number)
    if refusal is not None:
        return _did(text, "refused", refusal.key, dict(refusal.facts))
    answers.resend(work, table, judge, {"report": [number]}, mail.row)
    return _did(text, "done", "report", {})


# One verb -------------------------------------------------------------------------------------------------------------


def _did(text: str, mark: str, key: str, facts: Facts) -> Line:
    return {"text": text.strip()[:300], "mark": mark, "key": key, "facts": facts}


def _unread(text: str) -> Line:
    return _did(text, "refused", "verb-unread", {})


def _line(work: Work, mail: Opened, game: Game, judge: Tenure, verb: Verb, extras: Facts) -> Line:
    """Do one verb, or say why not; nothing of it has been done then."""
    text = mail.texts[verb.line]
    if verb.name in verbs.LATER:
        return _did(text, "refused", f"{verb.name}-later-verb", {})
    if verb.trapped:
        return _did(text, "refused", "text-unclosed", {"line": verb.trapped.strip()[:80]})
    if verb.wanting:
        return _did(text, "refused", f"wants-{verb.wanting}", {"verb": verb.name})
    if verb.name == "press":
        return _press(work, mail, game, judge, verb)
    try:
        if verb.name in HERE:
            mandate.refuse_who_plays(game, verb)
            return _did(text, "done", verb.name, HERE[verb.name](work, game, judge, verb, extras))
        if verb.name not in mandate.DOES:
            return _did(text, "refused", "later-verb", {})
        how, facts = mandate.asked_by_mail(
            work, game, judge, verb, mail=mail.row.id or 0, in_reply_to=mail.row.message_id
        )
    except RefusedByRules as refusal:
        return _did(text, "refused", refusal.key, dict(refusal.facts))
    return _did(text, how, verb.name if how == "done" else how, {**facts, "what": verb.name})


def _status(work: Work, game: Game, judge: Tenure, _verb: Verb, extras: Facts) -> Facts:
    extras["status"] = desking.desk(work, game, judge)
    return {}


def _help(work: Work, game: Game, judge: Tenure, _verb: Verb, extras: Facts) -> Facts:
    extras["verbs"] = _words(work, game, judge)
    return {}


def _preview(work: Work, game: Game, judge: Tenure, verb: Verb, extras: Facts) -> Facts:
    turn = positions.current(work, game)
    number = verb.turn if verb.turn is not None else turn.number if turn is not None else 0
    reader = _reader(work, game, judge)
    made = previews.preview(work, game, By("moderator", verb.why), number, reader, secrets.token_bytes(32))
    extras.setdefault("previews", []).append(made)
    return {"turn": number, "trial": made.trial}


def _released(does: Callable[[Work, Game, By, Verb], Facts]) -> Callable[[Work, Game, Tenure, Verb, Facts], Facts]:
    def done(work: Work, game: Game, _judge: Tenure, verb: Verb, _extras: Facts) -> Facts:
        return does(work, game, By("moderator", verb.why), verb)

    return done


def _show(work: Work, game: Game, _judge: Tenure, verb: Verb, extras: Facts) -> Facts:
    shown = releasing.show(work, game, By("moderator", verb.why), verb)
    extras.setdefault("mails", []).append(shown)
    return shown


def _archive(_work: Work, game: Game, _judge: Tenure, _verb: Verb, extras: Facts) -> Facts:
    extras["archive"] = game.tag
    return {"tag": game.tag}


HERE: Final[Mapping[str, Callable[[Work, Game, Tenure, Verb, Facts], Facts]]] = {
    "status": _status,
    "help": _help,
    "preview": _preview,
    "show": _show,
    "release": _released(releasing.release),
    "drop": _released(releasing.drop),
    "archive": _archive,
}
"""Verbs that answer, or handle mail: they change nothing of the game's course."""
_ANSWERS: Final = ("status", "help", "show")
"""Those of them that only answer."""


# The answer -----------------------------------------------------------------------------------------------------------


def _reader(work: Work, game: Game, judge: Tenure) -> Reader:
    return people.reader_of(work, game, judge, {})


def _words(work: Work, game: Game, judge: Tenure) -> list[str]:
    language = people.player(work, judge.player_id).language
    moderated = positions.table(game).ruleset.info.moderated
    unfit = verbs.LATER if moderated else (*verbs.LATER, *verbs.MODERATED)
    return [verbs.spelled(word.name, language) for word in verbs.words() if word.name not in unfit]


def _examples(work: Work, game: Game, judge: Tenure) -> list[str]:
    """Return lines that a moderator who runs the game by its rules may write in this position."""
    table, turn = positions.table(game), positions.current(work, game)
    if turn is None or not table.ruleset.info.moderated:
        return []
    language: Language = "en" if people.player(work, judge.player_id).language == "en" else "ru"
    return list(table.ruleset.examples(positions.view_of(work, table, turn, MODERATOR), language))


def _answer(work: Work, mail: Opened, game: Game, judge: Tenure, lines: list[Line], extras: Facts) -> None:
    turn = positions.current(work, game)
    shown: list[previews.Preview] = extras.pop("previews", [])
    wanted = extras.pop("archive", "")
    if any(line["key"] == "verb-unread" for line in lines):
        extras.setdefault("verbs", _words(work, game, judge))
    facts: Facts = {
        "answers": lines,
        "refused": sum(line["mark"] == "refused" for line in lines),
        "turn": turn.number if turn else None,
        "status": game.status,
        "now": iso(work.now),
        "deadline": iso(turn.deadline) if turn else "",
        "extras": extras,
    }
    if not wanted and not shown and _repeats(work, judge, facts):
        return
    notice = Notice(
        kind="moderated",
        reader=_reader(work, game, judge),
        facts=facts,
        head=positions.table(game).head,
        pin=logbook.pin(game),
    )
    _queue(work, mail, game, judge, "moderated", outbox.Envelope(notice=notice))
    if wanted:
        sent = Notice(kind="archive", reader=notice.reader, facts={"tag": wanted}, head=notice.head, pin=notice.pin)
        _queue(work, mail, game, judge, "archive", outbox.Envelope(notice=sent, archive=True))
    for place, one in enumerate(shown):
        _queue(work, mail, game, judge, f"preview/{place}", outbox.Envelope(report=one.report))


def _repeats(work: Work, judge: Tenure, facts: Facts) -> bool:
    """Say whether the moderator got this answer twice within a day, of verbs that change nothing (play-by-mail 7).

    Where a line is no verb a machine may write, whose numbers change; a moderator means the numbers he says.
    """
    lines: list[Line] = facts["answers"]
    if any(line["mark"] == "done" and line["key"] not in _ANSWERS for line in lines):
        return False
    return caps.told_alike(work, judge, "moderated", facts, numbers=all(line["key"] != "verb-unread" for line in lines))


def _queue(work: Work, mail: Opened, game: Game, judge: Tenure, kind: str, envelope: outbox.Envelope) -> None:
    turn = positions.current(work, game)
    outbox.queue(
        work,
        f"{kind}/{game.tag}/{mail.row.id}",
        envelope.value.reader.address,
        envelope,
        game=game,
        tenure=judge,
        turn=turn.number if turn else None,
        in_reply_to=mail.row.message_id,
    )
