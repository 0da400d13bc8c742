"""What the moderator writes: rulings, what comes of a roll, and commands done at once (page 1.6, P49)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import msgspec
from msgspec.structs import replace

from engine.core.codec import decode
from engine.core.contract import Order, Seat
from engine.core.names import Found, NotFound
from engine.set_sail.cards import BadCards, added, load
from engine.set_sail.commands import (
    BidValue,
    CallCheck,
    Conduct,
    Develop,
    DoEffect,
    DropPlan,
    Gate,
    Gated,
    Hire,
    Launch,
    LayCards,
    Learn,
    Offer,
    OpenTalk,
    Put,
    Repair,
    Ruling,
    SealBid,
    UndoEffect,
)
from engine.set_sail.demands import unmet
from engine.set_sail.effects import KINDS, parse_effect
from engine.set_sail.orders import players, wording
from engine.set_sail.orders.desk import Desk, Fault, NotOrder, text_of
from engine.set_sail.orders.lexicon import at_dash, find_name, fold, group, head_of, is_word
from engine.set_sail.state import AT_CREATION, MOST, SHIP_STATS, STATS, Roll
from engine.set_sail.view import card_of

_BONUS: Final = re.compile(r"([+−–-])\s?(\d{1,2})")
_DICE: Final = re.compile(r"[23]\s?[кdkд]\s?6(?:\s?\+\s?0)?", re.IGNORECASE)
_LIST: Final = re.compile(r"\s*(?:,|\s+и\s+|\s+and\s+|&)\s*")
_INTS: Final = re.compile(r"[№#]?\d{1,4}(?:(?:\s*,\s*|\s+и\s+|\s+and\s+|\s+)[№#]?\d{1,4})*")
_NUMBERED: Final = re.compile(r"^\s*[cсц]\s?(\d{1,3})\s*[:)]\s*", re.IGNORECASE)


def numbered(line: str) -> tuple[int | None, str]:
    """Take the number of a command from the beginning of a line: ``c3: открыть бой``."""
    found = _NUMBERED.match(line)
    return (int(found[1]), line[found.end() :]) if found else (None, line)


def _ref_and_body(rest: str) -> tuple[str, str | None]:
    """Part a line at its first colon, else at its dash."""
    ref, sign, body = rest.partition(":")
    if sign:
        return ref.strip(), body.strip()
    parted = at_dash(rest)
    return (parted[0], parted[1]) if parted else (rest.strip(" .!?"), None)


# Rulings --------------------------------------------------------------------------------------------------------------


def _at_step(desk: Desk, step: str) -> list[Roll]:
    return [roll for roll in desk.state.rolls if roll.step == step]


def ruling(desk: Desk, rest: str) -> Order:
    """``бросок anna o3: Затаиться, изворотливость, 2к6, шанс`` · ``бросок anna o3: нет``."""
    ref, body = _ref_and_body(rest)
    among = _at_step(desk, "declared")
    if not players.may_name(desk, ref) or (body is None and not (among or players.names_roll(desk, ref))):
        raise NotOrder
    roll = _judged(desk, ref, among)
    clauses = [one.strip(" .") for one in re.split(r"[,;]", body or "") if one.strip(" .")]
    fields = _clauses(desk, clauses, roll)
    made = Ruling(roll=roll.key, **_wished(desk, fields, roll))
    _warn_of_demands(desk, roll, made)
    _check_chances(desk, made.plan, chance=made.chance, gm_chance=made.gm_chance)
    if made.rolls and not made.stat and "stat" not in fields:
        offers = [msgspec.structs.replace(made, stat=stat) for stat in _stats_for(desk, made.move)]
        raise Fault("ambiguous", "which-stat", "P2", roll=desk.ref(roll.key), offers=offers)
    return made


def _warn_of_demands(desk: Desk, roll: Roll, made: Ruling) -> None:
    """Say what the card asks for that the pirate has not: as ruled, it is rolled all the same (P4, P49)."""
    card = card_of(desk.state, made.move)
    rest = replace(desk.state, rolls=tuple(one for one in desk.state.rolls if one.key != roll.key))
    missing = unmet(rest, roll.seat, card) if card is not None else ()
    if missing:
        wanted = {demand.key: demand.wanted for demand in missing}
        desk.warn("demands", missing[0].rule, roll=desk.ref(roll.key), move=made.move, demands=wanted)


def _judged(desk: Desk, ref: str, among: Sequence[Roll]) -> Roll:
    if not among:
        raise Fault("not-allowed", "nothing-to-rule", "P49")
    return desk.roll(ref, among)


def _stats_for(desk: Desk, move: str) -> Sequence[str]:
    card = next((one for one in desk.state.cards if one.id == move), None)
    if card is None:
        return STATS
    if isinstance(card.roll.stat, tuple):
        return card.roll.stat
    return SHIP_STATS if card.roll.kind == "ship" else STATS


def _wished(desk: Desk, fields: dict[str, Any], roll: Roll) -> dict[str, Any]:
    """Fill in what a ruling leaves out from the declaration and the card."""
    found = dict(fields)
    as_declared = found.pop("as_declared", False)
    if not found.get("rolls", True):
        return found
    found.setdefault("move", roll.move)
    if "stat" not in found:
        card = next((one for one in desk.state.cards if one.id == found["move"]), None)
        of_card = card.roll.stat if card is not None else "ask"
        wished = roll.stat if found["move"] == roll.move or of_card == "ask" else ""
        fixed = of_card if isinstance(of_card, str) and of_card != "ask" else ""
        found["stat"] = fixed or wished or ("dal" if roll.kind == "scheme" else "")
        if card is not None and card.roll.kind in ("none", "flat"):
            fields["stat"] = found["stat"]
            found["rolls"] = card.roll.kind == "flat"
    if as_declared:
        found.setdefault("chance", roll.wish_chance)
    return found


def _check_chances(desk: Desk, plan: str, *, chance: bool, gm_chance: bool) -> None:
    """Say where a chance is named that no plan has (P38)."""
    plans = [one for one in desk.state.plans if plan in ("", one.id)]
    if (chance and not any(one.crew for one in plans)) or (gm_chance and not any(one.gm for one in plans)):
        desk.warn("no-chance", "P38")
    if (chance or gm_chance) and not plan and len(desk.state.plans) > 1:
        desk.warn("which-plan", "P38", plans=tuple(one.id for one in desk.state.plans))


def _clauses(desk: Desk, clauses: Sequence[str], roll: Roll | None) -> dict[str, Any]:
    """Return what the clauses of a ruling or check say, each in any place. Raises Fault."""
    fields: dict[str, Any] = {}
    in_list = ""
    for clause in clauses:
        if in_list and re.fullmatch(r"[№#]?\d{1,4}", clause):
            fields["secrets"] = (*fields["secrets"], int(clause.lstrip("№#")))
            continue
        in_list = ""
        if _marked(clause, fields) or _with_field(desk, clause, fields, roll):
            in_list = "secrets" if "secrets" in fields and clause[-1:].isdigit() else ""
            continue
        _move_or_stat(desk, clause, fields)
    return fields


_MARKS: Final[dict[str, dict[str, Any]]] = {
    "gm-chance": {"gm_chance": True},
    "chance": {"chance": True},
    "no-roll": {"rolls": False},
    "as-declared": {"as_declared": True},
    "free": {"move": ""},
    "no-stat": {"stat": ""},
    "yes": {"as_declared": True},
}


def _marked(clause: str, fields: dict[str, Any]) -> bool:
    """Take a clause that is one of the fixed words, the dice, or a bonus."""
    for key, says in _MARKS.items():
        if is_word("parts", key, clause):
            fields.update(says)
            return True
    if _DICE.fullmatch(clause):
        return True
    bonus = _BONUS.fullmatch(clause)
    if bonus:
        fields["bonus"] = int(bonus[2]) * (1 if bonus[1] == "+" else -1)
    return bonus is not None


def _with_field(desk: Desk, clause: str, fields: dict[str, Any], roll: Roll | None) -> bool:
    """Take a clause with the word of its field before it: plan, enemy, secrets, veto."""
    found = players.field_of(clause, ("plan", "enemy", "secrets", "veto"))
    if found is None:
        return False
    field, value = found
    match field:
        case "plan":
            fields["plan"] = _plan(desk, value)
        case "enemy":
            fields["enemy"] = desk.enemy(value)
        case "secrets" if roll is not None:
            fields["secrets"] = _numbers(value)
        case "veto" if roll is not None:
            fields["veto"] = tuple(desk.a_seat(one) for one in _LIST.split(value) if one)
        case _:
            raise Fault("unread", "unknown-part", typed=clause)
    return True


def _numbers(value: str) -> tuple[int, ...]:
    value = re.sub(r"^\s*(?:подход\w+|годятся|fit)\s*:?", "", value, flags=re.IGNORECASE)
    if is_word("parts", "no", value) or is_word("parts", "nothing", value):
        return ()
    if not _INTS.fullmatch(value.strip(" .")):
        raise Fault("unread", "no-number", "P35", typed=value)
    return tuple(int(one) for one in re.findall(r"\d+", value))


def _plan(desk: Desk, value: str) -> str:
    plans = {one.id: (one.id, one.goal or one.id) for one in desk.state.plans}
    return desk.settle(value, find_name(value.strip(" ."), plans), "plan", {key: key for key in plans})


def _move_or_stat(desk: Desk, clause: str, fields: dict[str, Any]) -> None:
    if isinstance(find_name(clause, group("stats")), Found):
        fields["stat"] = desk.word("stats", clause, "stat")
    else:
        fields["move"] = desk.move(clause)


def check(desk: Desk, rest: str) -> Order:
    """``проверка anna: Затаиться, изворотливость, +1``: a check without a declaration."""
    ref, body = _ref_and_body(rest)
    if body is None:
        raise NotOrder
    number, seat = desk.command_number(None), players.somebody(desk, ref)
    clauses = [one.strip(" .") for one in re.split(r"[,;]", body) if one.strip(" .")]
    fields = _clauses(desk, clauses, None)
    fields.pop("as_declared", None)
    if not fields.pop("rolls", True):
        raise Fault("unread", "unknown-part", typed=body)
    if "stat" not in fields:
        card = next((one for one in desk.state.cards if one.id == fields.get("move")), None)
        if card is not None and isinstance(card.roll.stat, str) and card.roll.stat != "ask":
            fields["stat"] = card.roll.stat
        else:
            made = CallCheck(number=number, seat=seat, **fields)
            offers = [msgspec.structs.replace(made, stat=stat) for stat in _stats_for(desk, made.move)]
            raise Fault("ambiguous", "which-stat", "P2", roll=desk.called(seat), offers=offers)
    made = CallCheck(number=number, seat=seat, **fields)
    _check_chances(desk, made.plan, chance=made.chance, gm_chance=made.gm_chance)
    return made


# What comes of a roll -------------------------------------------------------------------------------------------------


def trade(desk: Desk, rest: str) -> Order:
    """``обмен anna o3[: effects]``: a trade is offered (P8)."""
    return _offer(desk, rest, trade=True)


def no_trade(desk: Desk, rest: str) -> Order:
    """``без обмена anna o3``: what was proposed comes."""
    return _offer(desk, rest, trade=False)


def outcome(desk: Desk, rest: str) -> Order:
    """``итог anna o3: damage:2:@anna; вето boris``."""
    return _offer(desk, rest, trade=False)


def _offer(desk: Desk, rest: str, *, trade: bool) -> Order:
    ref, body = _ref_and_body(rest)
    among = _at_step(desk, "offer")
    if not players.may_name(desk, ref) or (body is None and not (among or players.names_roll(desk, ref))):
        raise NotOrder
    roll = _judged(desk, ref, among)
    effects, veto = _effects(desk, body or "")
    if trade and (roll.band not in ("full", "partial") or roll.kind == "tie" or roll.traded):
        offers = [Offer(roll=roll.key, effects=effects, veto=veto)]
        raise Fault("not-allowed", "no-trade-here", "P8", roll=desk.ref(roll.key), band=roll.band, offers=offers)
    _warn_of_numbers(desk, () if trade and effects is None else roll.proposal if effects is None else effects)
    made = Offer(roll=roll.key, trade=trade, effects=effects, veto=veto)
    return _added(desk, made)


def _warn_of_numbers(desk: Desk, effects: Sequence[str]) -> None:
    """Say which numbers are open: they will be asked for (page 1.5)."""
    if open_ := tuple(text for text in effects if parse_effect(text).unknown):
        desk.warn("number-open", "1.5", effects=open_)


def _added(desk: Desk, made: Offer) -> Offer:
    """Add a line about a roll to the lines before it in the same letter."""
    before = next((one for one in desk.taken if isinstance(one, Offer) and one.roll == made.roll), None)
    if before is None or made.effects is None or before.effects is None:
        return made
    veto = (*before.veto, *(one for one in made.veto if one not in before.veto))
    return Offer(roll=made.roll, trade=before.trade or made.trade, effects=(*before.effects, *made.effects), veto=veto)


def _effects(desk: Desk, body: str) -> tuple[tuple[str, ...] | None, tuple[Seat, ...]]:
    effects: tuple[str, ...] | None = None
    veto: tuple[Seat, ...] = ()
    for clause in (one.strip() for one in body.split(";")):
        vetoed = players.field_of(clause, ("veto",))
        if not clause or is_word("parts", "as-proposed", clause):
            continue
        if vetoed is not None:
            veto = tuple(desk.a_seat(one) for one in _LIST.split(vetoed[1]) if one)
        elif is_word("parts", "nothing", clause):
            effects = effects or ()
        else:
            effects = (*(effects or ()), wording.said_or_written(desk, clause))
    return effects, veto


def effect(desk: Desk, rest: str) -> Order:
    """``эффект damage:2:@anna`` at once; ``эффект anna o3: …`` of a roll that waits for its outcome."""
    body = rest.strip().lstrip(":").strip()
    kind = body.partition(":")[0].strip()
    if kind in KINDS and not any(one == kind for one in desk.state.roster):
        return _do(desk, wording.vocabulary(desk, body))
    ref, sign, _ = body.partition(":")
    among = _at_step(desk, "offer")
    numbered_ref = re.search(r"[oо]\s?\d{1,3}$|/", ref.strip(), re.IGNORECASE)
    if sign and among and numbered_ref:
        return _offer(desk, body, trade=False)
    if head_of(body) is None and not re.match(r"[\w-]+:\S", body):
        raise NotOrder
    return _do(desk, wording.said_or_written(desk, body))


def _do(desk: Desk, text: str) -> Order:
    _warn_of_numbers(desk, (text,))
    return DoEffect(number=desk.command_number(None), effect=text)


def undo(desk: Desk, rest: str) -> Order:
    """``снять эффект damage:2:@anna [[…]]``: by the changes that its event lists."""
    found = re.fullmatch(r"\s*:?\s*(.*?)\s*(\[\[.*\]\])\s*", rest)
    if found is None:
        raise Fault("unread", "no-changes", "1.5")
    try:
        rows = decode(found[2], tuple[tuple[str, str, str, str], ...])
    except msgspec.MsgspecError as why:
        raise Fault("unread", "no-changes", "1.5") from why
    return UndoEffect(number=desk.command_number(None), effect=found[1], changes=rows)


# What is open ---------------------------------------------------------------------------------------------------------


def open_(desk: Desk, rest: str) -> Order:
    """``открыть сцену: губернатор`` (P49)."""
    return _gate(desk, rest, opens=True)


def close(desk: Desk, rest: str) -> Order:
    """``закрыть бой``, ``закрыть переход, новый берег``."""
    return _gate(desk, rest, opens=False)


_OPEN_NOW: Final = ("battle", "passage", "carouse")


def _gate(desk: Desk, rest: str, *, opens: bool) -> Order:
    typed = re.match(r"\s*:?\s*(?:the\s+)?([^\W\d_]+)", rest)
    if typed is None:
        raise NotOrder
    tail = rest[typed.end() :].strip()
    found = find_name(typed[1], group("gates"))
    if not isinstance(found, Found):
        if len(rest.split()) > 2 or (isinstance(found, NotFound) and not found.suggestions):
            raise NotOrder
        desk.word("gates", typed[1], "gate")
    if tail and tail[0] not in ":,;.!—–-":
        raise NotOrder
    what = cast("Gated", desk.word("gates", typed[1], "gate"))
    parts = [one.strip(" .!") for one in re.split(r"[,;]", tail.lstrip(":,;—–- ")) if one.strip(" .!")]
    fields: dict[str, Any] = {}
    if what == "battle" and not opens:
        parts = _flagged(parts, "floats-not", fields, {"floats": False})
    if what == "passage" and not opens:
        parts = _flagged(parts, "new-shore", fields, {"new_shore": True})
    if parts and not (what == "scene" and opens):
        raise Fault("unread", "unknown-part", "P49", typed=parts[0])
    if what in _OPEN_NOW and getattr(desk.state, what) == opens and not desk.taken:
        desk.warn("open-already" if opens else "closed-already", "P49", what=what)
    known = desk.world()
    enemies = [desk.enemy(part) for part in parts]
    named = [(one, desk.new_name(part, one, known)) for one, part in zip(enemies, parts, strict=True)]
    called = [(one, name) for one, name in named if name and one not in known]
    return Gate(
        number=desk.command_number(None),
        what=what,
        opens=opens,
        enemies=tuple(enemies),
        called=tuple(called),
        **fields,
    )


def _flagged(parts: list[str], key: str, fields: dict[str, Any], says: dict[str, Any]) -> list[str]:
    if any(is_word("parts", key, part) for part in parts):
        fields.update(says)
    return [part for part in parts if not is_word("parts", key, part)]


# Talks ----------------------------------------------------------------------------------------------------------------

_WITH: Final = re.compile(r"\s+(?:с|со|with|against|и|против)\s+|\s+[—–-]\s+", re.IGNORECASE)


def talk(desk: Desk, rest: str) -> Order:
    """``переговоры: anna — губернатор; угроза; план p1; тайны 1 и 2; их тайны 3`` (P39, P49)."""
    sides, *clauses = [one.strip(" .") for one in rest.strip().lstrip(":—– ").split(";")]
    head, *more = re.split(r",", sides)
    parted = _WITH.split(head.strip(), maxsplit=1)
    if len(parted) != 2:
        if ":" not in rest:
            raise NotOrder
        raise Fault("unread", "incomplete", "P39", what="talk")
    a, b = players.somebody(desk, parted[0]), _side(desk, parted[1])
    fields: dict[str, Any] = {}
    for clause in (one.strip() for one in (*more, *clauses) if one.strip()):
        _talk_clause(desk, clause, fields)
    if a == b:
        raise Fault("not-allowed", "talk-to-oneself", "P39")
    known = desk.world()
    called = desk.new_name(parted[1], b, known) if b not in known and b not in desk.state.roster else ""
    return OpenTalk(number=desk.command_number(None), a=a, b=b, called=called, **fields)


def _side(desk: Desk, typed: str) -> str:
    found = desk.find_seat(typed)
    if isinstance(found, Found) and found.how != "one-off":
        return desk.a_seat(typed)
    return desk.enemy(typed)


def _talk_clause(desk: Desk, clause: str, fields: dict[str, Any]) -> None:
    if is_word("parts", "threat", clause):
        fields["threat"] = True
        return
    found = players.field_of(clause, ("their", "secrets", "plan"))
    if found is None:
        raise Fault("unread", "unknown-part", "P39", typed=clause)
    field, value = found
    if field == "plan":
        fields["plan"] = _plan(desk, value)
    else:
        fields["suitable_a" if field == "secrets" else "suitable_b"] = _numbers(value)


def seal(desk: Desk, rest: str) -> Order:
    """``ставка n2 слава; шанс; тайна: что известно о команде``: of his own character (fair-play, rule N)."""
    found = re.match(r"\s*:?\s*(?:[nн]\s?(\d{1,3})\b\s*:?)?\s*([^\W\d_]+)", rest, re.IGNORECASE)
    opened = [one for one in desk.taken if isinstance(one, OpenTalk)]
    sides = {one.number: (one.b, one.plan) for one in desk.state.talks}
    sides |= {number: (one.b, one.plan) for number, one in enumerate(opened, desk.state.talks_held + 1)}
    talks = {number: side for number, side in sides.items() if side[0] not in desk.state.roster}
    fitting = [number for number in talks if found is not None and found[1] in (None, str(number))]
    meant = found is not None and isinstance(find_name(found[2], group("bids")), Found)
    if found is None or not (meant or (talks and players.few_before_colon(rest))):
        raise NotOrder
    value = desk.word("bids", found[2], "bid")
    if len(fitting) != 1:
        key = "which-talk" if len(fitting) > 1 else "no-talk"
        raise Fault("not-allowed", key, "P40", talks=tuple(talks))
    tail = rest[found.end() :]
    chance = _SEALED_CHANCE.match(tail)
    tail = tail[chance.end() :] if chance else tail
    uses = re.fullmatch(r"\s*[;,]\s*(?:тайн\w*|secret)\s*:?\s*(.*)", tail, re.IGNORECASE)
    if uses is None and tail.strip(" .!"):
        raise Fault("unread", "unknown-part", "P43", typed=tail.strip())
    who, plan_ = talks[fitting[0]]
    if chance and not plan_:
        desk.warn("no-plan", "A46")
    return SealBid(
        number=desk.command_number(None),
        talk=fitting[0],
        value=cast("BidValue", value),
        uses=_known_secret(desk, who, text_of(uses[1])) if uses else "",
        chance=bool(chance),
    )


_SEALED_CHANCE: Final = re.compile(
    r"\s*[;,]\s*(?:шанс(?:\s+[^\W\d_]+)?|(?:gm\s+|moderator's\s+)?chance)(?=\s*[;,.!]|\s*$)", re.IGNORECASE
)


def _known_secret(desk: Desk, who: str, typed: str) -> str:
    """Return the secret of a side by its number or its words; one that it does not have is warned of."""
    known = next((one.secrets for one in desk.state.factions if one.id == who), ())
    if typed.isdecimal() and 1 <= int(typed) <= len(known):
        return known[int(typed) - 1]
    if typed not in known:
        desk.warn("secret-unfit", "P43", secret=0)
    return typed


# Pirates, code, ship, world -------------------------------------------------------------------------------------------


_KEPT: Final = re.compile(r"(?:соблюд|исполнен|наруш|kept|broken)\w*[\s.!]*$", re.IGNORECASE)


def code(desk: Desk, rest: str) -> Order:
    """``кодекс anna: верность соблюдена`` (P22)."""
    ref, body = _ref_and_body(rest)
    if body is None:
        raise NotOrder
    if not players.names_somebody(desk, ref) and not _KEPT.search(body):
        raise NotOrder
    seat = players.somebody(desk, ref)
    typed, _, last = body.strip(" .!").rpartition(" ")
    kept = next((key == "kept" for key in ("kept", "broken") if is_word("parts", key, last)), None)
    kept = last == "+" if last in {"+", "-", "−"} else kept
    articles = [one.id for one in desk.state.code]
    if kept is None:
        article = articles[0] if articles else "1"
        offers = [Conduct(number=1, seat=seat, article=article, kept=one) for one in (True, False)]
        raise Fault("unread", "kept-or-broken", "P22", offers=offers)
    ids = {one.id: tuple(name for name in (one.id, one.name, one.text) if name) for one in desk.state.code}
    shown = {one.id: one.name or one.id for one in desk.state.code}
    article = desk.settle(typed.strip(" ,"), find_name(typed.strip(" ,"), ids), "article", shown)
    return Conduct(number=desk.command_number(None), seat=seat, article=article, kept=kept)


def learn(desk: Desk, rest: str) -> Order:
    """``узнаёт anna о boris: …`` (P43)."""
    ref, sign, text = rest.partition(":")
    parted = re.split(r"\s+(?:о|об|про|about)\s+", ref.strip(), maxsplit=1)
    if not sign or len(parted) != 2 or not text_of(text):
        raise NotOrder
    seat, who = players.somebody(desk, parted[0]), _side(desk, parted[1])
    return Learn(number=desk.command_number(None), seat=seat, who=who, text=text_of(text))


def plan(desk: Desk, rest: str) -> Order:
    """``план p1 окончен`` (A45)."""
    typed, _, last = rest.strip(" :.!").rpartition(" ")
    if not is_word("parts", "over", last):
        raise NotOrder
    return DropPlan(number=desk.command_number(None), plan=_plan(desk, typed))


def repair(desk: Desk, rest: str) -> Order:
    """``починка корпус 2``, ``починка поломка`` (P32)."""
    found = re.fullmatch(r"\s*:?\s*([^\W\d_]+)\s*(?:\+?(\d))?[\s.!]*", rest)
    if found is None:
        raise NotOrder
    what = next((key for key in ("hull", "breakdown") if is_word("parts", key, found[1])), None)
    if what is None:
        offers = [Repair(number=1, what="hull"), Repair(number=1, what="breakdown")]
        raise Fault("unread", "unknown-repair", "P32", typed=found[1], offers=offers)
    n = int(found[2] or 1)
    number = desk.command_number(None)
    return Repair(number=number, what="hull", n=n) if what == "hull" else Repair(number=number, what="breakdown", n=n)


def develop(desk: Desk, rest: str) -> Order:
    """``развитие: оснастка: Крепкие кладовые`` (P33, P34)."""
    option, _, card = rest.strip().lstrip(":").strip().partition(":")
    if len(option.split()) > 3:
        raise NotOrder
    key = desk.word("developments", option.strip(" .!"), "development")
    move = desk.move(card.strip(" .!")) if card.strip(" .!") else ""
    if key.startswith(("move", "rigging")) and not move:
        wanted = "rigging" if key.startswith("rigging") else "ship_extra"
        cards = [one.id for one in desk.state.cards if one.group == wanted]
        offers = [Develop(number=1, option=key, card=one) for one in cards]
        raise Fault("unread", "which-card", "P34", offers=offers)
    return Develop(number=desk.command_number(None), option=key, card=move)


def launch(desk: Desk, rest: str) -> Order:
    """``корабль: имя Каракатица; тип бриг; навигация 2; …; упор навигация`` (P26, P27)."""
    if not rest.lstrip().startswith(":"):
        raise NotOrder
    fields: dict[str, Any] = {}
    for clause in re.split(r"[;\n]|,(?=\s*[^\W\d_]+\s+\d)", rest.lstrip()[1:]):
        if clause.strip(" ."):
            _ship_field(desk, clause.strip(" ."), fields)
    if not (fields and (fields.get("name") or desk.state.ship.name)):
        raise Fault("unread", "ship-name", "P26", offers=(Launch(number=1, **({"name": "…"} | fields)),))
    return Launch(number=desk.command_number(None), **fields)


def _ship_field(desk: Desk, clause: str, fields: dict[str, Any]) -> None:
    if is_word("parts", "ordered", clause):
        fields["ordered"] = True
        return
    listed = players.field_of(clause, ("moves", "rigging", "bought"))
    if listed is not None and listed[0] == "bought":
        none = is_word("parts", "no", listed[1]) or is_word("parts", "nothing", listed[1])
        parts = [] if none else [part.strip(" .") for part in listed[1].split(",")]
        fields["bought"] = tuple(desk.word("developments", part, "development") for part in parts if part)
        return
    if listed is not None:
        groups = ("ship_extra",) if listed[0] == "moves" else ("rigging",)
        fields[listed[0]] = players.cards_named(desk, listed[1], groups)
        return
    found = players.field_of(clause, ("name", "kind", "priority"))
    if found is not None and found[0] == "priority":
        fields["priority"] = "hull" if is_word("fields", "hull", found[1]) else _ship_stat(desk, found[1])
        return
    if found is not None:
        fields[found[0]] = text_of(found[1])[:60]
        return
    number = re.fullmatch(r"(.*?)\s*[:=]?\s*(\d)", clause)
    if number is None:
        raise Fault("unread", "no-number", "P26", typed=clause)
    name = number[1].strip()
    fields["hull" if is_word("fields", "hull", name) else _ship_stat(desk, name)] = int(number[2])


def _ship_stat(desk: Desk, typed: str) -> str:
    key = desk.word("stats", typed, "stat")
    if key not in SHIP_STATS:
        raise Fault("unread", "unknown-stat", "P26", typed=typed)
    return key


def hire(desk: Desk, rest: str) -> Order:
    """``лист anna: имя …; фарт 3``: a new pirate of a seat, or a sheet set right (A25)."""
    ref, sign, body = rest.partition(":")
    if not sign or len(ref.split()) > players.LONGEST_REF:
        raise NotOrder
    seat = players.somebody(desk, ref)
    luck: int | None = None
    kept = []
    for clause in re.split(r"[;\n]", body):
        found = players.field_of(clause, ("luck",))
        number = re.fullmatch(r"\d{1,2}", found[1].strip(" .")) if found is not None else None
        if found is not None and number is not None:
            luck = int(number[0])
        else:
            kept.append(clause)
    alive = any(one.seat == seat and one.status != "dead" for one in desk.state.pirates)
    most = MOST if alive and desk.state.stage != "set-up" else AT_CREATION
    sheet = players.read_sheet(desk, ";".join(kept), most)
    return Hire(number=desk.command_number(None), seat=seat, sheet=sheet, luck=luck)


def put(what: str) -> Callable[[Desk, str], Order]:
    """Return what reads ``враг губернатор``, ``статья …``, ``часы буря 4``."""

    def read(desk: Desk, rest: str) -> Order:
        return _put(desk, what, rest)

    return read


def _put(desk: Desk, what: str, rest: str) -> Order:
    name, sign, text = rest.strip().lstrip(":").strip().partition(":")
    found = re.fullmatch(r"(.*?)\s*([+−–-]?)\s?(\d{1,4})?[\s.!]*", name)
    if found is None or not fold(found[1]) or len(found[1].split()) > 3:
        raise NotOrder
    if what in ("prescription", "prohibition") and not sign:
        raise NotOrder
    n = int(found[3] or 0)
    if "clock" in what and found[2]:
        signed = -n if found[2] != "+" else n
        clocks = _known(desk, what)
        clock = desk.thing(found[1], clocks)
        if clock in clocks:
            return _do(desk, wording.vocabulary(desk, f"clock:{clock}:{signed:+d}"))
        n = max(0, signed)
    if what == "captain":
        typed = found[1] if found[3] is None else f"{found[1]} {found[3]}"
        seat = desk.find_seat(typed)
        if not isinstance(seat, Found) and len(typed.split()) > 1:
            raise NotOrder
        return Put(number=desk.command_number(None), what="captain", id=desk.a_seat(typed))
    known = _known(desk, what)
    made = desk.thing(found[1], known)
    name = desk.new_name(found[1], made, known)
    return Put(number=desk.command_number(None), what=cast("Any", what), id=made, name=name, text=text_of(text), n=n)


def _known(desk: Desk, what: str) -> dict[str, str]:
    """Return the ids of what there is of a kind, with the names they bear."""
    if "clock" in what:  # those of this very letter too
        set_here = [one for one in desk.taken if isinstance(one, Put) and "clock" in one.what]
        known = {one.id: one.name for one in desk.state.clocks}
        return known | {one.id: one.name for one in set_here}
    if what in ("prescription", "prohibition"):
        return {one.id: one.name for one in desk.state.code}
    return desk.world()


def cards(desk: Desk, rest: str) -> Order:
    """``колода:`` and the group's file of cards, to ``конец колоды`` (page 1.5)."""
    if not rest.lstrip().startswith(":"):
        raise NotOrder
    document = rest.lstrip()[1:].replace("↵", "\n").strip()
    try:
        added(desk.state.cards, load(document))
    except BadCards as why:
        raise Fault("not-allowed", "bad-cards", "1.5", at=why.key, problem=why.problem) from why
    return LayCards(number=desk.command_number(None), document=document)


def worded(key: str) -> Callable[[Desk, str], Order]:
    """Return what reads an effect in words: ``урон anna 2``."""

    def read(desk: Desk, rest: str) -> Order:
        return _do(desk, wording.effect_of(desk, key, rest))

    return read


def choosing(desk: Desk, rest: str) -> Order:
    """``выбор 2``: where a card lets the moderator choose."""
    return players.choose(desk, rest)


HANDLERS: Final[dict[str, Callable[[Desk, str], Order]]] = {
    **{key: worded(key) for key in sorted(wording.WORDED)},
    "say": players.say,
    "story": players.say,
    "ruling": ruling,
    "outcome": outcome,
    "trade": trade,
    "no-trade": no_trade,
    "effect": effect,
    "undo": undo,
    "open": open_,
    "close": close,
    "talk": talk,
    "bid": seal,
    "check": check,
    "code": code,
    "learn": learn,
    "plan": plan,
    "repair": repair,
    "develop": develop,
    "ship": launch,
    "sheet": hire,
    "choose": choosing,
    "how": players.narrate,
    **{
        key: put(key)
        for key in ("enemy", "threat", "side", "prescription", "prohibition", "clock", "open-clock", "captain")
    },
    "deck": cards,
}
"""What reads the rest of a moderator's line, by its head."""
