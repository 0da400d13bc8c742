"""An answer entered for a seat by the moderator or the operator, who may write none himself (play-by-mail 1.8, 6)."""

from __future__ import annotations

from adjudicator.errors import RefusedByRules
from adjudicator.services import asking, people, positions, questions, readings, resolving, sheets
from adjudicator.services.positions import Table
from adjudicator.services.questions import Asked
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asking, Game, Turn
from engine.core.contract import MODERATOR, Language, Seat


def answer_for(
    work: Work, game: Game, number: int, seat: Seat, text: str, *, by: str, question: int = 0, language: Language = "ru"
) -> str:
    """Enter an answer for a seat in the named turn, as text; ``question`` is its number where several are open.

    The holder of the seat gets a copy and may answer otherwise until the group closes; the log of the closed group
    shows «moderator», but for the moderator's own questions. ``by`` is who does it. Returns the question's key. Raises
    `RefusedByRules` if that turn asks nothing, does not ask this seat, or the text is no answer.
    """
    turn = positions.current(work, game)
    group = asking.current(work, turn) if turn is not None and turn.number == number else None
    pause = resolving.paused(work, turn) if turn is not None and group is not None else None
    if turn is None or group is None or pause is None:
        raise RefusedByRules("not-asking", turn=number)
    table = positions.table(game)
    own = asking.numbered(work, turn, seat)[group.number]
    if not own:
        seats = asking.seats_of(asking.questions(work, group))
        raise RefusedByRules("not-asked", seat=seat, seats=list(seats))
    view = asking.sight(table, pause.position, seat, tuple(one.question for one in own))
    argument = f"{question}: {text}" if question else f": {text}"
    found = questions.read(
        table.ruleset, Asked(view=view, open=own), argument, language, lambda: questions.names(table.head, view)
    )
    if isinstance(found, questions.NotTaken):
        words = [choice.word for one in own for choice in one.question.choices]
        raise RefusedByRules("no-answer", text=text, numbers=[one.number for one in own], words=words)
    _enter(work, table, turn, group, seat, found, by)
    return found.key


def _enter(work: Work, table: Table, turn: Turn, group: Asking, seat: Seat, found: questions.Taken, by: str) -> None:
    game = table.game
    effect = sheets.Reply(answers={found.key: found.word}, by="seat" if seat == MODERATOR else "moderator")
    number = readings.next_number(work, game, seat)
    kept = readings.Kept(
        mail_id=None,
        seat=seat,
        asking=group.number,
        number=number,
        arrival=work.now,
        mailbox="",
        uid=number,
        written=None,
        effects=(effect,),
        late=False,
        has_orders=True,
        by=by,
    )
    readings.add(work, game, turn.number, kept)
    group.check = work.now
    work.session.add(group)
    holder = next((tenure for tenure in people.tenures(work, game) if tenure.seat == seat), None)
    if holder is not None:
        facts = asking.reminder_of(work, table, turn, group, asking.now(work, game, turn, group)[seat])
        asking.letter(work, table, turn, holder, "answered-for", f"{asking.cause_of(turn, group)}/{number}", facts)
