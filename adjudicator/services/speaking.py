"""A proven player's letter for a seat: heard, done as far as it may be, answered with a receipt (play-by-mail 2, 3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec

from adjudicator.letters import LineVerdict
from adjudicator.services import (
    answers,
    asides,
    asking,
    callings,
    commanding,
    confirming,
    deeds,
    doubtful,
    hearing,
    identity,
    interludes,
    keeping,
    lateness,
    missing,
    parts,
    people,
    positions,
    press,
    questions,
    readings,
    receipts,
    replies,
    resolving,
    sheets,
    turns,
    verbs,
    verdicts,
)
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.positions import Table
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asking, Game, Player, Tenure, Turn
from engine.core import codec
from engine.core.contract import Sheet


def for_game(work: Work, mail: Opened, who: Speaker, game: Game) -> None:
    """Do what a letter says for the one seat of a game that it means, or ask its writer which."""
    turn = positions.current(work, game)
    if turn is None:
        verdicts.settle(work, mail.row, "late" if game.status == "finished" else "held", "no-turn")
        facts = {"tag": game.tag, "status": game.status, **press.outside(work, mail, who, game)}
        replies.polite(work, mail, "no-turn", facts)
        return
    found = []
    for part in parts.by_seat(mail, lambda typed: answers.seat_named(work, game, typed, strict=False)):
        _for_seat(work, part, who, game, turn)
        found.append((mail.row.verdict, mail.row.why))
    verdicts.settle_whole(work, mail.row, found)


def _for_seat(work: Work, mail: Opened, who: Speaker, game: Game, turn: Turn) -> None:
    tenures = _seats_meant(work, mail, who, game)
    if len(tenures) != 1:
        verdicts.settle(work, mail.row, "held", "which-seat")
        verdicts.hold(work, mail.row, game.id, "which-seat")
        facts = {"tag": game.tag, "seats": [_named(work, game, tenure) for tenure in _own_seats(work, who, game)]}
        replies.polite(work, mail, "which-seat", facts)
        return
    _speak(work, mail, who, positions.table(game), tenures[0], turn)


def for_moderator(work: Work, mail: Opened, who: Speaker, game: Game, judge: Tenure) -> bool:
    """Take a moderator's letter as his orders or answers, if the rules ask him for any; else do nothing (1.8).

    His verbs are not read here. Returns whether the letter was one.
    """
    turn = positions.current(work, game)
    if turn is None:
        return False
    table = positions.table(game)
    said = hear(work, mail, who, table, judge, turn)
    _refuse_afterthoughts(work, said)
    refused = table.ruleset.info.moderated and any(line.complaint for line in said.heard.lines.values())
    touches = said.heard.touches or said.heard.answers or (said.heard.unanswered and said.group is not None)
    if not (touches or refused):
        return False
    commands: Sheet = ()
    if interludes.waits_for_none(work, table, turn):
        said.heard.effects, commands = commanding.parted(table, said.heard.effects)
        said.heard.at_once = len(commands)
    if _do(work, said, (), late_too=bool(commands)) and commands:
        turns.lock_at_once(work, game, turn, commands)
    return True


def _refuse_afterthoughts(work: Work, said: Said) -> None:
    """Take out the moderator's orders that had to be laid down before a seat said its own, which he may have read."""
    heard, table = said.heard, said.table
    put = [effect for effect in heard.effects if isinstance(effect, sheets.Put)]
    orders: Sheet = tuple(codec.from_plain(one, table.ruleset.info.order) for effect in put for one in effect.orders)
    late = interludes.too_late(work, table, said.turn, orders)
    if not late:
        return
    refused = [codec.plain(order) for order in late]
    lines = {table.ruleset.write(order, said.against.language, said.against.view) for order in late}
    for place, line in heard.lines.items():
        if line.read in lines:
            heard.lines[place] = LineVerdict(text=line.text, mark="command-refused", key="bid-laid")
    heard.effects = [
        msgspec.structs.replace(effect, orders=tuple(one for one in effect.orders if one not in refused))
        if isinstance(effect, sheets.Put)
        else effect
        for effect in heard.effects
    ]
    heard.effects = [effect for effect in heard.effects if not isinstance(effect, sheets.Put) or effect.orders]


def spans_of_moderator(work: Work, mail: Opened, game: Game, judge: Tenure) -> dict[int, int]:
    """Return the orders of several lines in a moderator's letter, by first and last line: a story, a deck.

    A line in them that reads like a verb of his is none. A text that has no end of its own ends before a verb.
    """
    turn = positions.current(work, game)
    table = positions.table(game)
    if turn is None or not table.ruleset.info.moderated:
        return {}
    return hearing.texts_in(table, positions.view_of(work, table, turn, judge.seat), mail.own, verbs.is_verb)


def _seats_meant(work: Work, mail: Opened, who: Speaker, game: Game) -> Sequence[Tenure]:
    """Return the seats a letter may be for, of which a line ``место жёлтые`` names one (play-by-mail 4)."""
    named = [command.argument for command in mail.plan.commands if command.name == "seat"]
    if not named:
        return who.tenures
    seat = answers.seat_named(work, game, named[0], strict=False)
    return [tenure for tenure in _own_seats(work, who, game) if tenure.seat == seat]


def _own_seats(work: Work, who: Speaker, game: Game) -> Sequence[Tenure]:
    """Return the seats a letter may speak for: one by its token, all of its writer's where others vouch for him."""
    if not who.vouched:
        return who.tenures
    held = [pair for person in who.players for pair in people.tenures_of(work, person)]
    return [tenure for tenure, at in held if at.id == game.id]


def _named(work: Work, game: Game, tenure: Tenure) -> dict[str, str]:
    titles = people.seat_titles(work, game) | callings.titles(work, positions.table(game))
    return titles.get(tenure.seat, {"": tenure.seat})


def _speak(work: Work, mail: Opened, who: Speaker, table: Table, tenure: Tenure, turn: Turn) -> None:
    answered = confirming.held_mail(work, mail, who, tenure)
    if answered is not None:
        held, yes = answered
        if yes:
            _release(work, held, who, table, tenure, turn)
            verdicts.settle(work, mail.row, "orders", f"confirms {held.row.id}")
        else:
            confirming.deny(work, mail, held.row, table.game, tenure)
        return
    mail, named = confirming.confirmed_lines(work, mail, who)
    said = hear(work, mail, who, table, tenure, turn)
    if named is not None:
        said.heard.turn = named
    press.answer(work, said)
    edited = _edited(said)
    if not (said.heard.intends or said.heard.press or edited):
        verdicts.settle(work, mail.row, "empty", "no-intent")
        replies.polite(work, mail, "empty", {"why": "no-intent"}, who=who, game=table.game)
    elif _too_many(work, said):
        verdicts.settle(work, mail.row, "quarantined", "too-many-mails")
        facts = {"limit": work.config.limits.mails_per_turn}
        replies.polite(work, mail, "too-many", facts, who=who, game=table.game)
    else:
        _do(work, said, edited)


def _do(work: Work, said: Said, edited: tuple[LineVerdict, ...], *, late_too: bool = False) -> bool:
    """Do what a letter says, and answer it; orders that come too late do nothing, the rest of the letter holds.

    ``late_too``: it holds orders beside its effects. Returns whether orders counted.
    """
    heard = said.heard
    meant = lateness.turn_meant(work, said)
    late = _late_for_questions(work, said, meant) if said.group is not None else None
    if said.group is None and (heard.effects or heard.phrase or late_too):
        late = lateness.late(work, said, meant)
    counts = late is None or late.get("answers", False)
    answers_late = said.group is None and heard.unanswered and not (heard.effects or heard.phrase)
    verdicts.settle(work, said.mail.row, "orders" if counts and not answers_late else "late")
    said.turn.check = work.now
    work.session.add(said.turn)
    person = people.player(work, said.tenure.player_id)
    _apply_settings(work, person, heard)
    missing.heard_from(work, said.tenure)
    press.pass_on(work, said)
    _refuse_questions(work, said, person)
    _explain_restore(work, said)
    deeds.do(work, said)
    doubtful.tell(work, said)
    commitment = keeping.keep(work, said, None if counts else meant)
    if said.group is not None:
        said.group.check = work.now
        work.session.add(said.group)
    elif counts and heard.touches:
        turns.prolong_window(work, said.table.game, said.turn, said.mail.row.counts)
    receipts.answer(work, said, late, commitment, edited)
    return counts


def _late_for_questions(work: Work, said: Said, meant: int) -> dict[str, Any] | None:
    """Part what a letter says to the questions asked from orders, which are late; return why these do not count.

    While a command is being done that asks somebody, they are orders of the turn that goes on after it. Words like
    ``готов`` speak to the questions where the seat is asked any (1.8). ``answers`` in what is returned says whether the
    rest of the letter counts.
    """
    heard, asked = said.heard, said.against.asking
    to_questions: list[sheets.AnyEffect] = []
    if heard.answers:
        to_questions.append(sheets.Reply(answers=heard.answers))
    if heard.unanswered:
        to_questions.append(sheets.Refused())
    is_asked = asked is not None and bool(asked.open)
    orders = [effect for effect in heard.effects if not (is_asked and isinstance(effect, sheets.Say))]
    to_questions += [effect for effect in heard.effects if effect not in orders]
    heard.effects = to_questions
    late = lateness.late(work, said, meant) if orders else None
    heard.afterwards = orders if late is None else []
    return late if late is None else {**late, "answers": bool(to_questions or heard.phrase)}


def _release(work: Work, held: Opened, who: Speaker, table: Table, tenure: Tenure, turn: Turn) -> None:
    """Do what a held mail says, now that its writer has confirmed it; it counts from its own arrival."""
    verdicts.release(work, held.row, table.game.id)
    identity.keep_confirmation(work, held.row, "writer")
    _speak(work, held, dataclasses.replace(who, answered=None), table, tenure, turn)


# Hearing --------------------------------------------------------------------------------------------------------------


def hear(work: Work, mail: Opened, who: Speaker, table: Table, tenure: Tenure, turn: Turn) -> Said:
    """Hear what a letter says for a seat; nothing of it is done yet."""
    person = people.player(work, tenure.player_id)
    group, asked = _asked(work, mail, who, table, tenure, turn)
    against = Hearing(
        table=table,
        view=positions.view_of(work, table, turn, tenure.seat),
        seat=tenure.seat,
        language="en" if person.language == "en" else "ru",
        before=positions.history_before(work, table, turn, tenure.seat, mail.row),
        number=readings.next_number(work, table.game, tenure.seat),
        asking=asked,
    )
    return Said(mail, who, table, tenure, turn, against, hearing.hear(against, mail.own), group)


def _asked(
    work: Work, mail: Opened, who: Speaker, table: Table, tenure: Tenure, turn: Turn
) -> tuple[Asking | None, questions.Asked | None]:
    """Return the group that a letter may answer, and what its seat is asked and was asked before (1.8)."""
    group = asking.current(work, turn)
    numbered = asking.numbered(work, turn, tenure.seat)
    answers_it = group is not None and asking.is_about(table, turn, group, who.answered)
    kind = who.answered.kind if who.answered is not None else ""
    elsewhere = kind.startswith("question") and kind != "question-awaited" and not answers_it  # which asks nothing
    closed = tuple(one.number for own in numbered.values() for one in own)
    pause = resolving.paused(work, turn) if group is not None else None
    if group is None or pause is None:
        nothing = questions.Asked(view=None, open=(), takes=False, elsewhere=elsewhere, closed=closed)
        return None, nothing if elsewhere or closed else None
    own = numbered[group.number]
    takes = asking.takes(work, table, turn, group, mail.row.counts, answers_it=answers_it)
    found = questions.Asked(
        view=asking.sight(table, pause.position, tenure.seat, tuple(one.question for one in own)),
        open=own,
        takes=takes,
        elsewhere=elsewhere,
        closed=closed[: len(closed) - len(own)],
    )
    return group if takes else None, found


def _edited(said: Said) -> tuple[LineVerdict, ...]:
    """Return lines of our template that were edited inside the quote, as they would be read: not in force (3.3)."""
    found = said.mail.reading.text.because("edited quote")
    if not found:
        return ()
    against, ruleset = said.against, said.table.ruleset
    texts = [line.text.lstrip("> ").strip() for line in found]  # the way of quoting is the mail program's
    reading = ruleset.read(against.view, (), texts, against.language)
    return tuple(
        LineVerdict(
            text=" ".join(texts[place] for place in one.lines),
            mark="ok",
            read=ruleset.write(one.order, against.language, against.view),
        )
        for one in reading.orders
    )


def _too_many(work: Work, said: Said) -> bool:
    seat = said.tenure.seat
    sent = [row for row in readings.of_turn(work, said.table.game, said.turn.number) if row.seat == seat]
    return len(sent) >= work.config.limits.mails_per_turn


def _apply_settings(work: Work, person: Player, heard: Heard) -> None:
    if heard.settings:
        person.language = heard.settings.get("language", person.language)
        person.zone = heard.settings.get("zone", person.zone)
        work.session.add(person)


def _explain_restore(work: Work, said: Said) -> None:
    """Say of a receipt that cannot be restored which turn it is of, if there was such a one."""
    for place, line in said.heard.lines.items():
        if line.key == "no-such-receipt":
            turn = readings.turn_of(work, said.table.game, said.tenure.seat, line.facts["number"])
            if turn is not None and turn != said.turn.number:
                said.heard.lines[place] = msgspec.structs.replace(line, facts={**line.facts, "turn": turn})


def _refuse_questions(work: Work, said: Said, person: Player) -> None:
    """Say in the receipt which questions have no answer: a report there was not, a topic there is not."""
    heard = said.heard
    for place, line in heard.lines.items():
        argument = str(line.facts.get("argument", ""))
        if line.mark == "command" and line.key in heard.asked:
            if line.key == "set-aside":
                refusal = asides.refusal(work, said, argument)
            else:
                refusal = answers.refusal(work, said.table, said.tenure, person.language, line.key, argument)
            if refusal is not None:
                heard.lines[place] = msgspec.structs.replace(refusal, text=line.text)
                heard.asked[line.key].remove(argument)
                heard.asked = {name: typed for name, typed in heard.asked.items() if typed}
