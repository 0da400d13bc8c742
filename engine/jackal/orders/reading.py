"""Lines sorted into orders, complaints and prose, against what the seat sees (5.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.contract import Complaint, Language, Note, Order, Question, Reading, ReadOrder, Sheet
from engine.jackal.board import thaw
from engine.jackal.commands import UNLIMITED, Alternative, Decision, Sail, SlotOrder, Want
from engine.jackal.isle import LAND
from engine.jackal.orders.lexicon import MOST_CHARACTERS
from engine.jackal.orders.parsing import Line, Parser, Unread, begins_answer, begins_order
from engine.jackal.orders.sheet import fold
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.effects import may_quake
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.moves import wake
from engine.jackal.rules.wants import SlotTalk, Wants
from engine.jackal.state import COLOURS, PIRATES, UNIT, JackalView, PlanSlot
from engine.jackal.tiles import OPEN
from engine.jackal.view import own_plan


class Refused(Exception):
    """A line that was read and cannot be an order here: kind, key, rule and facts of its complaint."""

    def __init__(self, kind: str, key: str, rule: str, **facts: object) -> None:
        super().__init__(key)
        self.kind = kind
        self.key = key
        self.rule = rule
        self.facts = facts


def read(view: JackalView, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
    """Read lines against what the seat sees. Never raises; every line is an order, a complaint or prose."""
    orders: list[ReadOrder] = []
    complaints: list[Complaint] = []
    prose: list[int] = []
    taken: list[str] = []
    for places, text in _joined(lines):
        asked = _asked(view, text)
        if not (asked or begins_order(text) or begins_answer(text)) or len(text) > MOST_CHARACTERS:
            prose += places
            continue
        try:
            order = _answer(view, text, language) if asked else _order(view, text, language, taken)
        except Unread as why:
            place = why.place if why.place and why.place[1] <= len(lines[places[0]]) else None
            complaints.append(Complaint(kind="unread", key=why.why, lines=places, rule="5.3", place=place))
        except Refused as why:
            complaints.append(
                Complaint(kind=why.kind, key=why.key, lines=places, rule=why.rule, facts=why.facts)  # type: ignore[arg-type]
            )
        else:
            taken.append(order.slot)
            notes, refused = _remarks(view, order)
            if refused is not None:
                complaints.append(msgspec.structs.replace(refused, lines=places))
            else:
                orders.append(ReadOrder(order=order, lines=places, notes=notes))
    laid = fold(sheet, [one.order for one in orders])
    return Reading(orders=tuple(orders), complaints=tuple(complaints), prose=tuple(prose), sheet=laid)


def _joined(lines: Sequence[str]) -> list[tuple[tuple[int, ...], str]]:
    """Return the lines with their continuations («иначе …») joined, and the places they come from."""
    found: list[tuple[tuple[int, ...], str]] = []
    for place, line in enumerate(lines):
        text = line.split("#")[0].rstrip()
        first = Parser(text[:MOST_CHARACTERS], "ru")
        if found and found[-1][1] and begins_order(found[-1][1]) and first.phrase("else"):
            found[-1] = ((*found[-1][0], place), f"{found[-1][1]} {text.strip()}")
        else:
            found.append(((place,), text))
    return found


def _asked(view: JackalView, text: str) -> bool:
    """Say whether a line is to be read as an answer: something is asked, and the line does not begin as an order."""
    questions = any(not question.choices for question in view.questions)
    return bool(text.strip()) and (begins_answer(text) or (questions and not begins_order(text)))


def _order(view: JackalView, text: str, language: Language, taken: Sequence[str]) -> Order:
    """Return the order that a line stands for in this position. Raises Unread or Refused."""
    line = Parser(text, language).read()
    if line.other is not None:
        return line.other
    slot = _slot(view, line, taken)
    alternatives = tuple(_with_colour(one, slot) for one in line.alternatives)
    return SlotOrder(colour=slot.colour, number=slot.number, alternatives=alternatives)


def _with_colour(one: Alternative, slot: PlanSlot) -> Alternative:
    """Return an alternative whose ship is that of the slot's colour if no other is named (5.3)."""
    if isinstance(one.act, Sail) and not one.act.colour:
        return msgspec.structs.replace(one, act=msgspec.structs.replace(one.act, colour=slot.colour))
    return one


def _slot(view: JackalView, line: Line, taken: Sequence[str]) -> PlanSlot:
    """Return the slot a line is for: named, or the only one that can be meant; of several the first free."""
    if view.outcome is not None:
        raise Refused("not-allowed", "game-over", "J11")
    own = [slot for slot in own_plan(view) if line.colour in ("", slot.colour) and line.number in (0, slot.number)]
    if not own:
        raise Refused("not-allowed", "not-your-slot", "5.2")
    colours = {slot.colour for slot in own}
    if len(colours) > 1:
        meant = _meant(view, line)
        own = [slot for slot in own if slot.colour == meant]
        if not own:
            raise Refused("ambiguous", "which-colour", "5.2")
    free = [slot for slot in own if slot.key not in taken]
    return (free or own)[0]


def _meant(view: JackalView, line: Line) -> str:
    """Return the colour of the first unit or ship a line names, "" if it names none."""
    act = line.alternatives[0].act if line.alternatives else None
    if isinstance(act, Sail):
        return act.colour
    unit = UNIT.get(getattr(act, "unit", ""), -1)
    if unit < 0:
        return ""
    owner = unit // 3 if unit < PIRATES else view.owners[unit - PIRATES]
    return COLOURS[owner] if owner >= 0 else ""


def _answer(view: JackalView, text: str, language: Language) -> Order:
    """Return the answer to an open question of this view. Raises Unread or Refused."""
    parser = Parser(text, language)
    number = max(parser.begins_answer(), 0)
    open_ = [question for question in view.questions if not question.choices]
    if number:
        open_ = [question for question in open_ if question is view.questions[min(number, len(view.questions)) - 1]]
    if not open_:
        raise Refused("not-allowed", "nothing-asked", "5.4")
    question = open_[0]
    want, lay = parser.answer(question.what)
    _check_answer(view, question, want, lay)
    return Decision(key=question.key, want=want, lay=lay)


def _check_answer(view: JackalView, question: Question, want: Want, lay: tuple[tuple[str, str], ...]) -> None:
    """Refuse an answer that cannot be done on the board of the question (J8.12, J8.17, J8.19)."""
    board = thaw(view)
    index = board.geo.index
    if question.what == "lay":
        cells = question.facts["cells"]
        taken, laid = sorted(one for one, _ in lay), sorted(to for _, to in lay)
        if taken != laid or len(set(taken)) < len(taken) or any(one not in cells for one in taken):
            raise Refused("not-allowed", "not-a-permutation", "J8.17", cells=tuple(cells))
    elif question.what == "lighthouse":
        bad = [name for name in want.cells if board.geo.terrain[index[name]] != LAND or board.tiles[index[name]] & OPEN]
        if bad or len(set(want.cells)) != len(want.cells) or len(want.cells) > question.facts["number"]:
            raise Refused("not-allowed", "not-closed", "J8.17", cells=tuple(bad), number=question.facts["number"])
    elif question.what == "quake":
        free = may_quake(board)
        bad = [name for name in want.pair if index[name] not in free]
        if bad or (want.pair and want.pair[0] == want.pair[1]):
            raise Refused("not-allowed", "not-free", "J8.19", cells=tuple(bad))
    else:
        named = [pick.way for pick in want.wishes if pick.kind == "cell"]
        if any(name not in question.facts["cells"] for name in named):
            raise Refused("not-allowed", "no-flight-there", "J8.12", cells=tuple(named))


def _remarks(view: JackalView, order: Order) -> tuple[tuple[Note, ...], Complaint | None]:
    """Return warnings about alternatives that are not legal on this board; in strict play a complaint if none is.

    In a round the board of the slot may still make them legal (5.3).
    """
    if not isinstance(order, SlotOrder):
        return (), None
    board = thaw(view)
    colour = COLOURS.index(order.colour)
    wake(board, colour)
    smoke = any(slot.key == order.slot and slot.colour != slot.commander for slot in view.plan)
    talk = SlotTalk(colour, order.number, view.seat)
    # Whether a partner lets his rum be drunk is his to know until the slot (J9.16).
    leave = dict.fromkeys(view.roster, UNLIMITED)
    notes: list[Note] = []
    for place, one in enumerate(order.alternatives, 1):
        if one.act is None:
            continue
        try:
            perform(Acting(board.branch(), talk, Wants(one, talk, (view.seat,)), smoke=smoke, ally_rum=leave))
        except Illegal as why:
            facts = {"alternative": place, "why": why.why, "cell": why.cell}
            notes.append(Note(kind="warning", key="not-now", rule=why.rule, facts=facts))
        except ValueError:
            notes.append(
                Note(kind="warning", key="not-now", rule="5.3", facts={"alternative": place, "why": "no-cell"})
            )
    if view.options.mode == "strict" and notes and len(notes) == len(order.alternatives):
        facts = notes[0].facts
        return (), Complaint(kind="not-allowed", key=str(facts["why"]), lines=(), rule=notes[0].rule, facts=facts)
    return tuple(notes), None
