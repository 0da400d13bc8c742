"""Lines sorted into orders, complaints and prose, against what the seat sees (5.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.contract import Complaint, Language, Note, Order, Question, Reading, ReadOrder, Sheet
from engine.jackal.board import thaw
from engine.jackal.commands import UNLIMITED, Alternative, Decision, Sail, SlotOrder, Want
from engine.jackal.isle import LAND
from engine.jackal.orders.lexicon import MOST_CHARACTERS
from engine.jackal.orders.mending import answers, may_be_order, mendings
from engine.jackal.orders.offers import MOST_OFFERS, foreseen, offered
from engine.jackal.orders.parsing import Line, Parser, Unread, begins_answer, begins_order, is_answer
from engine.jackal.orders.sheet import fold
from engine.jackal.orders.writing import write
from engine.jackal.rules.acting import perform
from engine.jackal.rules.actor import Acting
from engine.jackal.rules.effects import may_quake
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.moves import wake
from engine.jackal.rules.repetition import refuse_repetition
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
    before = {order.slot: order for order in sheet}
    for places, text in _joined(lines):
        found = _line(view, text, language, taken)
        if found is None:
            prose += places
        elif isinstance(found, Complaint):
            place = found.place if found.place and found.place[1] <= len(lines[places[0]]) else None
            complaints.append(msgspec.structs.replace(found, lines=places, place=place))
        else:
            taken.append(found.order.slot)
            notes = (*found.notes, *_drops(view, before.get(found.order.slot), found.order, language))
            orders.append(ReadOrder(order=found.order, lines=places, notes=notes))
            before[found.order.slot] = found.order
    laid = fold(sheet, [one.order for one in orders])
    return Reading(orders=tuple(orders), complaints=tuple(complaints), prose=tuple(prose), sheet=laid)


def _line(view: JackalView, text: str, language: Language, taken: Sequence[str]) -> ReadOrder | Complaint | None:
    """Return what a line is: an order with its notes, a complaint (without line numbers), None for prose."""
    if len(text) > MOST_CHARACTERS or not text.strip():
        return None
    asked = _asked(view, text)
    if not (asked or begins_order(text) or begins_answer(text)):
        return _mended_prose(view, text, language, taken)
    try:
        order = _answer(view, text, language) if asked else _order(view, Parser(text, language).read(), taken)
    except Unread as why:
        fault = Complaint(kind="unread", key=why.why, lines=(), rule="5.3", place=why.place)
        return _mended_answer(view, text, language, fault) if asked else _mended(view, text, language, taken, fault)
    except Refused as why:
        offers = () if asked else offered(view, text, language)
        return Complaint(
            kind=why.kind,  # type: ignore[arg-type]
            key=why.key,
            lines=(),
            rule=why.rule,
            facts=why.facts,
            suggestions=offers,
        )
    notes, refused = _remarks(view, order)
    if refused is not None:
        return msgspec.structs.replace(refused, suggestions=offered(view, text, language))
    return ReadOrder(order=order, lines=(), notes=notes)


def _mended(
    view: JackalView, text: str, language: Language, taken: Sequence[str], fault: Complaint
) -> ReadOrder | Complaint:
    """Return the one order, legal now, that a faulty line can be mended to; else why it cannot be read (3.1)."""
    found = _legal_mendings(view, text, language, taken)
    if len(found) == 1:
        return found[0]
    if found:
        lines = tuple(write(one.order, language, view) for one in found[:MOST_OFFERS])
        return Complaint(kind="ambiguous", key="two-readings", lines=(), rule="5.3", suggestions=lines)
    return msgspec.structs.replace(fault, suggestions=offered(view, text, language))


def _mended_answer(view: JackalView, text: str, language: Language, fault: Complaint) -> ReadOrder | Complaint:
    """Return the one answer that a mistyped line can be mended to, else why it cannot be read."""
    found: dict[Order, ReadOrder] = {}
    try:
        for one in answers(text, lambda mended: _answer(view, mended, language)):
            found.setdefault(one.order, one)
    except Refused:
        return fault
    return next(iter(found.values())) if len(found) == 1 else fault


def _mended_prose(
    view: JackalView, text: str, language: Language, taken: Sequence[str]
) -> ReadOrder | Complaint | None:
    """Return the order that a line is which does not begin as one, None if it is prose."""
    if not may_be_order(text):
        return None
    found = _legal_mendings(view, text, language, taken)
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    lines = tuple(write(one.order, language, view) for one in found[:MOST_OFFERS])
    return Complaint(kind="ambiguous", key="two-readings", lines=(), rule="5.3", suggestions=lines)


def _legal_mendings(view: JackalView, text: str, language: Language, taken: Sequence[str]) -> list[ReadOrder]:
    """Return the orders that a line can be mended to and that could be carried out as things stand, each once."""
    found: dict[Order, ReadOrder] = {}
    for one in mendings(text, language):
        try:
            order = _order(view, one.line, taken)
        except Refused:
            continue
        notes, refused = _remarks(view, order)
        if refused is None and not all_fail(order, notes):
            found.setdefault(order, ReadOrder(order=order, lines=(), notes=(*one.notes, *notes)))
    return list(found.values())


def all_fail(order: Order, notes: Sequence[Note]) -> bool:
    """Say whether no alternative of an order could be carried out now, as its notes tell."""
    failed = sum(note.key == "not-now" for note in notes)
    return isinstance(order, SlotOrder) and failed > 0 and failed == len(order.alternatives)


def _drops(view: JackalView, before: Order | None, order: Order, language: Language) -> tuple[Note, ...]:
    """Say which earlier order a line replaces (play-by-mail 2)."""
    if before is None or before == order or not isinstance(order, SlotOrder):
        return ()
    return (Note(kind="drops", key="order", rule="5.2", facts={"order": write(before, language, view)}),)


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
    """Say whether a line is to be read as an answer: something is asked, and the line does not mean to be an order.

    Cells like B3 are called as pirates are: where something is asked, what can be read as an answer is one.
    """
    topics = [question.what for question in view.questions if not question.choices]
    if not text.strip() or not (topics or begins_answer(text)):
        return False
    return begins_answer(text) or not begins_order(text) or any(is_answer(text, topic) for topic in topics)


def _order(view: JackalView, line: Line, taken: Sequence[str]) -> Order:
    """Return the order that a line stands for in this position. Raises Refused."""
    if line.other is not None:
        return line.other
    slot = _slot(view, line, taken)
    foreign = next((one for one in line.alternatives if _is_foreign(one, slot)), None)
    if foreign is not None:
        raise Refused("not-allowed", "not-yours", "J2.2", cell="")
    alternatives = tuple(_with_colour(one, slot) for one in line.alternatives)
    return SlotOrder(colour=slot.colour, number=slot.number, alternatives=alternatives)


def _is_foreign(one: Alternative, slot: PlanSlot) -> bool:
    """Say whether an alternative moves a pirate of another colour than its slot's: no board will make that legal."""
    unit = UNIT.get(getattr(one.act, "unit", ""), PIRATES)
    return unit < PIRATES and COLOURS[unit // 3] != slot.colour


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
    """Return what the open board says of an order: its path, losses, alternatives that are not legal on it.

    In strict play a complaint if none is; in a round the board of the slot may still make them legal (5.3).
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
    failed: list[Note] = []
    told: tuple[Note, ...] = ()
    many = len(order.alternatives) > 1
    for place, one in enumerate(order.alternatives, 1):
        if one.act is None:
            continue
        branch = board.branch()
        try:
            perform(Acting(branch, talk, Wants(one, talk, (view.seat,)), smoke=smoke, ally_rum=leave))
            refuse_repetition(view.seen, branch, colour)
        except Illegal as why:
            failed.append(_not_now(place, why.why, why.rule, why.cell, many=many))
        except ValueError:
            failed.append(_not_now(place, "no-cell", "5.3", "", many=many))
        else:
            told = told or foreseen(view, branch.events)
    if view.options.mode == "strict" and failed and len(failed) == len(order.alternatives):
        facts = failed[0].facts
        return (), Complaint(kind="not-allowed", key=str(facts["why"]), lines=(), rule=failed[0].rule, facts=facts)
    return (*told, *failed), None


def _not_now(place: int, why: str, rule: str, cell: str, *, many: bool) -> Note:
    facts = {"alternative": place, "why": why, "cell": cell, "many": many}
    return Note(kind="warning", key="not-now", rule=rule, facts=facts)
