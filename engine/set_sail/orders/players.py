"""What players write: declarations, what is done after a roll, decisions, bids (page 1.6, *Order lines*)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

from msgspec.structs import replace

from engine.core.codec import decode
from engine.core.contract import Order, Seat
from engine.core.names import Found, NotFound, find, nearest
from engine.set_sail.commands import (
    AnswerTrade,
    Bid,
    BidValue,
    Choose,
    CrossOut,
    Declare,
    Enlist,
    Idle,
    Narrate,
    Say,
    Scheme,
    SetSailOrder,
    Spend,
    StayOut,
    TakeDamage,
    TakeHole,
    TakePart,
    Tale,
)
from engine.set_sail.demands import HELD, unmet
from engine.set_sail.effects import numbered
from engine.set_sail.orders.desk import MOST_CALLED, Desk, Fault, NotOrder, text_of
from engine.set_sail.orders.lexicon import at_dash, find_name, fold, group, is_word, said
from engine.set_sail.state import AT_CREATION, BREAKDOWNS, LEAST, STATS, Decision, Roll, Talk
from engine.set_sail.view import card_of, is_dead, may_spend

_NUMBER: Final = re.compile(r"\s*(?:№\s*)?[oо]\s?(\d{1,2})\b", re.IGNORECASE)
_COLON: Final = re.compile(r"\s*:\s*|\s*(?:[—–]|--|-(?=\s))\s*")
_ANY_COLON: Final = re.compile(r":(?=\s|$|[^\d\s])")
_INT: Final = re.compile(r"[+−–-]?\d{1,3}")
LONGEST_REF: Final = 5
"""Words of the longest name of a roll."""
MOST_STORY: Final = 20_000
"""Characters of what a letter tells."""
_DOUBTFUL_WORDS: Final = 12


class Wish(NamedTuple):
    """What a declaration wishes, and what is left of it as text."""

    move: str
    stat: str
    chance: bool
    text: str


# Declarations ---------------------------------------------------------------------------------------------------------


def declare(desk: Desk, rest: str) -> Order:
    """``заявка: Угрожать насилием, дерзость, шанс — что делаю``."""
    return _declare(desk, rest, hidden=False)


def mine(desk: Desk, rest: str) -> Order:
    """``мой ход: …``: a declaration, but with its colon only."""
    if not _numbered(rest)[1].lstrip().startswith(":"):
        raise NotOrder
    return _declare(desk, rest, hidden=False)


def hidden(desk: Desk, rest: str) -> Order:
    """``заявка втайне: …``: only the moderator is to know."""
    return _declare(desk, rest, hidden=True)


def _declare(desk: Desk, rest: str, *, hidden: bool) -> Order:
    given, body = _numbered(rest)
    in_brackets = _IN_BRACKETS.match(body)
    if in_brackets:  # «заявка (втайне): …»
        given, body = _numbered(body[in_brackets.end() :]) if given is None else (given, body[in_brackets.end() :])
        hidden = True
    sign = _COLON.match(body)
    body = body[sign.end() :] if sign else body
    if sign and (in_brackets := _IN_BRACKETS.match(body)):
        body, hidden = body[in_brackets.end() :], True
    wish = read_wish(desk, body)
    if sign is None and not (given is not None or wish.move):
        _ask_for_colon(desk, body, hidden=hidden)
        raise NotOrder
    if not (wish.move or wish.text):
        raise Fault("unread", "incomplete", what="declaration")
    order = Declare(
        number=1, move=wish.move, stat=wish.stat, chance=wish.chance, text=text_of(wish.text), hidden=hidden
    )
    order = replace(order, number=desk.declaration(given, order))
    desk.must_act("declaration")
    if not (hidden or wish.move or wish.stat) and (secretly := _SECRETLY.match(wish.text)):
        plain = replace(order, text=wish.text[secretly.end() :].strip())
        offers = [replace(plain, hidden=True), plain]
        raise Fault("ambiguous", "in-secret", "1.6", typed=secretly[0].strip(), offers=offers)
    _check_demands(desk, order)
    _check_stat(desk, order)
    if wish.chance and not any(plan.crew for plan in desk.state.plans):
        desk.warn("no-chance", "P38")
    return order


_IN_BRACKETS: Final = re.compile(
    r"\s*\(\s*(?:втайне|тайно|секретно|тайная|in secret|secretly|secret)\s*\)\s*", re.IGNORECASE
)
_SECRETLY: Final = re.compile(
    r"\s*(?:втайне|тайно|секретно|по секрету|in secret|secretly)"
    r"(?:\s+от\s+всех|\s+from\s+(?:all|everybody))?\b[\s,:—–-]*(?=\S)",
    re.IGNORECASE,
)
"""How a text begins that may be meant for the moderator alone, or tell how the pirate goes about it."""


def _ask_for_colon(desk: Desk, body: str, *, hidden: bool) -> None:
    """Ask about «заявка затаиться прячусь за бочками»: it names a move, and nothing parts it from the rest."""
    words = body.split()
    moves = desk.moves()
    for taken in range(min(LONGEST_REF, len(words)), 0, -1):
        found = find_name(" ".join(words[:taken]), moves)
        if isinstance(found, Found) and found.how in ("exact", "declined"):
            made = Declare(number=desk.first, move=found.key, text=" ".join(words[taken:]), hidden=hidden)
            raise Fault("ambiguous", "doubtful", "1.6", offers=[made])


def _numbered(rest: str) -> tuple[int | None, str]:
    """Take the number of a declaration from the beginning of what follows its head."""
    found = _NUMBER.match(rest)
    return (int(found[1]), rest[found.end() :]) if found else (None, rest)


def read_wish(desk: Desk, body: str) -> Wish:
    """Part move, stat and chance, which stand before a dash or colon, from what the pirate does."""
    body = body.strip()
    parted = at_dash(body)
    if parted is None and (colon := _ANY_COLON.search(body)):
        parted = body[: colon.start()].strip(), body[colon.end() :].strip()
    if parted is None:
        return _unparted(desk, body)
    wish, left = wished(desk, parted[0])
    if not left:
        return wish._replace(text=parted[1])
    if wish.move or wish.stat or wish.chance:
        return wish._replace(text=body)
    near = nearest(parted[0], desk.moves())
    if near and ("," in parted[0] or len(parted[0].split()) <= LONGEST_REF):
        names = desk.moves()
        desk.warn("no-such-move", "P2", typed=parted[0], names=tuple(names[key][0] for key in near))
    return Wish("", "", False, body)


def _unparted(desk: Desk, body: str) -> Wish:
    """Return what a body without a dash wishes: its first parts by comma, the rest is text."""
    sentence = re.match(r"([^.]+)\.\s+(?=\S)", body)
    if sentence and not wished(desk, sentence[1], exact=True)[1]:  # «Затаиться, изворотливость. Прячусь за бочками.»
        return wished(desk, sentence[1])[0]._replace(text=body[sentence.end() :])
    parts = [part.strip() for part in body.split(",")]
    wish, left = wished(desk, body)
    if not left:
        return wish
    taken = 0
    while taken < len(parts) and not wished(desk, ", ".join(parts[: taken + 1]), exact=True)[1]:
        taken += 1
    wish = wished(desk, ", ".join(parts[:taken]), exact=True)[0] if taken else Wish("", "", False, "")
    return wish._replace(text=body if not taken else ", ".join(parts[taken:]))


def wished(desk: Desk, head: str, *, exact: bool = False) -> tuple[Wish, list[str]]:
    """Return what the parts of a head wish, and those that name nothing."""
    move, stat, chance, left = "", "", False, []
    moves = desk.moves()
    mended: list[tuple[str, str, str]] = []
    for part in _wishes(head, moves):
        as_stat, as_move = find_name(part, group("stats")), find_name(part, moves)
        if is_word("parts", "chance", part):
            chance = True
        elif isinstance(as_move, Found) and not move and _clear(as_move, exact=exact):
            move = as_move.key
            mended.append((as_move.how, part, moves[move][0]))
        elif isinstance(as_stat, Found) and not stat and _clear(as_stat, exact=exact):
            stat = as_stat.key
            mended.append((as_stat.how, part, said("stats", stat, desk.language)))
        else:
            left.append(part)
    if not left:
        for how, typed, read in mended:
            if how not in ("exact", "declined"):
                desk.note(how, typed, read)
    return Wish(move, stat, chance, ""), left


_BY: Final = re.compile(r"\s+(?:по|с|with|using|by)\s+", re.IGNORECASE)


def _wishes(head: str, moves: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the parts of a head: «Угрожать насилием (дерзость)», «Затаиться по изворотливости» have two each."""
    found: list[str] = []
    for part in (one.strip() for one in re.split(r"[,;()]|\s\+\s", head)):
        by = _BY.search(part)
        stat = find_name(part[by.end() :], group("stats")) if by else None
        if by and isinstance(stat, Found) and not isinstance(find_name(part, moves), Found):
            found += [part[: by.start()].strip(), part[by.end() :].strip()]
        else:
            found.append(part)
    return [part for part in found if part]


def _clear(found: Found, *, exact: bool) -> bool:
    return found.how in ("exact", "declined") or not exact


def _check_demands(desk: Desk, order: Declare) -> None:
    """Refuse a move whose card asks for what the pirate has not (P4); the same without the card is offered."""
    card = card_of(desk.state, order.move)
    if card is None:
        return
    others = [one for one in desk.sheet.values() if isinstance(one, Declare) and one.number != order.number]
    meant = sum(one.move == order.move for one in others)
    for demand in unmet(desk.state, desk.seat, card, meant):
        free = [replace(order, move="")] if order.text else []
        raise Fault("not-allowed", demand.key, demand.rule, move=card.id, wanted=demand.wanted, offers=free)


def _check_stat(desk: Desk, order: Declare) -> None:
    """Let the player pick the stat where the card leaves him a list of them (page 1.5). Raises Fault."""
    card = card_of(desk.state, order.move)
    stats = card.roll.stat if card is not None and card.roll.kind in ("stat", "ship") else ""
    if isinstance(stats, tuple) and order.stat not in stats:
        offers = [replace(order, stat=stat) for stat in stats]
        raise Fault("ambiguous", "which-stat", "P2", offers=offers)


_SECRETS: Final = re.compile(
    r"[;,.—–-]?\s*(?:тайн[аыуой]*|secrets?)\s*:?\s*((?:[№#]?\d{1,4}(?:\s*(?:,|и|and|&)\s*|\s+)?)+)\s*[.;]?\s*$",
    re.IGNORECASE,
)


def scheme(desk: Desk, rest: str) -> Order:
    """``козни: цель …; тайны 1, 3`` (P35)."""
    given, body = _numbered(rest)
    sign = _COLON.match(body)
    body = body[sign.end() :] if sign else body.lstrip(" !.,")
    found = _SECRETS.search(body)
    if found is None and sign is None:
        raise NotOrder
    secrets = tuple(dict.fromkeys(int(one) for one in re.findall(r"\d+", found[1]))) if found else ()
    goal = text_of(body[: found.start()] if found else body).rstrip(";,. ")
    first, _, others = goal.partition(" ")
    if others and is_word("fields", "goal", first.rstrip(":")):
        goal = others.lstrip(":—– ")
    number = desk.declaration(given, Scheme(number=1, goal=goal, secrets=secrets))
    desk.must_act("scheme")
    held = tuple(one.id for one in desk.state.ship.secrets)
    if not goal:
        raise Fault("unread", "incomplete", what="scheme")
    if not secrets or any(one not in held for one in secrets):
        offers = [Scheme(number=number, goal=goal, secrets=(one,)) for one in held]
        raise Fault("not-allowed", "no-such-secret", "P35", secrets=held, typed=secrets, offers=offers)
    return Scheme(number=number, goal=goal, secrets=secrets)


def idle(desk: Desk, rest: str) -> Order:
    """``без хода``: the pirate does nothing."""
    given, left = _numbered(rest)
    if left.strip(" .!"):
        raise NotOrder
    desk.must_act("declaration")
    return Idle(number=given or desk.first)


def join(desk: Desk, rest: str) -> Order:
    """``участвую``, ``участвую в кознях Анны`` (P36)."""
    typed = rest.strip(" .!:")
    schemed = False
    for word in group("fields")["in-scheme"]:
        if fold(typed) == fold(word) or fold(typed).startswith(f"{fold(word)} "):
            typed = " ".join(typed.split()[len(word.split()) :])
            schemed = len(word.split()) > 1
            break
    if len(typed.split()) > LONGEST_REF:
        raise NotOrder
    leader = ""
    if fold(typed):
        found = desk.find_seat(typed)
        if not isinstance(found, Found) and not (schemed or rest.lstrip().startswith(":")):
            raise NotOrder
        leader = desk.a_seat(typed)
    desk.must_act("join")
    if leader == desk.seat:
        raise Fault("not-allowed", "own-scheme", "P36")
    if desk.state.options.hb_scheme_pays_luck == "on" and desk.own_pirate_luck() < 1:
        desk.warn("no-luck", "P36")
    return TakePart(leader=leader)


def tale(desk: Desk, rest: str) -> Order:
    """``байка: …`` at the carouse (P7)."""
    body = _after_colon(rest)
    if not text_of(body):
        raise Fault("unread", "incomplete", what="tale")
    if "tale" not in desk.slots:
        raise Fault("not-allowed", "no-carouse", "P7", open=desk.state.carouse, told=desk.state.tale_told)
    return Tale(text=text_of(body))


def say(desk: Desk, rest: str) -> Order:
    """``говорю: …``, ``рассказ: …``: prose for the report; ``говорю Вере: …`` says to whom."""
    whom, sign, _ = rest.partition(":")
    to_whom = sign and 0 < len(whom.split()) <= MOST_CALLED and names_somebody(desk, whom)
    body = rest.strip() if to_whom else _after_colon(rest)
    paragraphs = [text_of(line) for line in re.split(r"[\n↵]", body)]
    text = "\n".join(paragraphs).strip()
    if len(text) > MOST_STORY:
        raise Fault("not-allowed", "too-long", n=len(text), most=MOST_STORY)
    if not text:
        raise Fault("unread", "incomplete", what="say")
    return Say(text="" if text in {"—", "-", "–"} else text)


def _after_colon(rest: str) -> str:
    """Return what follows the colon of a head. Raises NotOrder without one."""
    if not rest.lstrip().startswith(":"):
        raise NotOrder
    return rest.lstrip()[1:].strip()


# The window -----------------------------------------------------------------------------------------------------------


def luck(desk: Desk, rest: str) -> Order:
    """``фарт +1 o3`` (P6c)."""
    found = re.fullmatch(r"\s*:?\s*(\+?\s?\d+)?\s*(?:на|в|к|to|on|for|into)?\s*(.*?)[\s.!]*", rest)
    number, ref = (found[1], found[2]) if found else (None, rest)
    ref = "" if fold(ref) in _MINE else ref
    if number is None and (len(ref.split()) > LONGEST_REF or not _is_ref(ref)):
        raise NotOrder
    among = _windows(desk, own=True)
    if number is not None and number.replace(" ", "").lstrip("+") != "1":
        raise Fault("not-allowed", "one-luck", "P6", typed=number, offers=[_spend(one, "luck") for one in among])
    if not among:
        raise _no_window(desk, own=True)
    return _spend(desk.roll(ref, among), "luck")


_MINE: Final = frozenset(
    {"свой бросок", "свои бросок", "своему броску", "себе", "себя", "свой", "my roll", "my own roll", "mine", "myself"}
)
"""How one's own roll is named where there is only one."""


def _is_ref(ref: str) -> bool:
    """Say whether a text names a roll, or nothing at all."""
    plain = ref.strip(" .!:")
    return not plain or bool(re.fullmatch(r"[oоnн]\s?\d{1,3}|\S+/\S+|.*\s[oоnн]\d{1,3}", plain, re.IGNORECASE))


def _spend(roll: Roll, act: Literal["luck", "help", "hinder", "nothing"], how: str = "") -> Spend:
    return Spend(roll=roll.key, act=act, how=text_of(how))


def help_(desk: Desk, rest: str) -> Order:
    """``помощь anna o3: как`` (P6d)."""
    return _aid(desk, rest, "help")


def hinder(desk: Desk, rest: str) -> Order:
    """``помеха anna o3: как`` (P6d, A5)."""
    return _aid(desk, rest, "hinder")


def _aid(desk: Desk, rest: str, act: Literal["help", "hinder"]) -> Order:
    among = _windows(desk, own=False)
    ref, how, sure = _aimed(desk, rest, among)
    if not sure and not _is_ref(ref):
        offers = [_spend(roll, act, how) for roll in among if roll.seat == desk.a_seat(ref)]
        if not offers:
            raise NotOrder
        raise Fault("ambiguous", "doubtful", "1.6", offers=offers)
    if not among:
        raise _no_window(desk, own=False)
    if act == "hinder" and desk.state.options.allow_hinder == "no":
        raise Fault("not-allowed", "hinder-not-allowed", "A5")
    roll = desk.roll(ref, among)
    card = card_of(desk.state, roll.move)
    if card is not None and act not in card.accepts:
        raise Fault("not-allowed", "not-accepted", "P3", move=card.id, act=act)
    if not how:
        desk.warn("say-how", "P6")
    return _spend(roll, act, how)


def _aimed(desk: Desk, rest: str, among: Sequence[Roll]) -> tuple[str, str, bool]:
    """Part whom a line helps from how; say whether the parts are sure. Raises NotOrder for prose."""
    colon = _ANY_COLON.search(rest)
    parted = (rest[: colon.start()].strip(), rest[colon.end() :].strip()) if colon else at_dash(rest)
    if parted is not None and len(parted[0].split()) <= LONGEST_REF:
        if _is_ref(parted[0]) or names_somebody(desk, parted[0]) or (among and colon and may_name(desk, parted[0])):
            return (*parted, True)
        raise NotOrder
    words = rest.split()
    if not words:
        raise NotOrder  # alone it is a command of the service
    for taken in range(min(len(words), LONGEST_REF), 0, -1):
        ref = " ".join(words[:taken]).rstrip(",.!")
        if names_somebody(desk, ref) and (len(words) <= _DOUBTFUL_WORDS or _is_ref(ref)):
            return ref, " ".join(words[taken:]), taken == len(words) or _is_ref(ref)
    raise NotOrder


def somebody(desk: Desk, typed: str) -> Seat:
    """Return the seat that a text names. Raises Fault for a name nobody bears, NotOrder for what is no name."""
    if not may_name(desk, typed):
        raise NotOrder
    return desk.a_seat(typed)


def names_somebody(desk: Desk, ref: str) -> bool:
    """Say whether a text names a pirate, with or without a roll of his."""
    name = re.sub(r"\s*\b[oоnн]\s?\d{1,3}$", "", ref.strip(), flags=re.IGNORECASE)
    return isinstance(desk.find_seat(name), Found)


def names_roll(desk: Desk, ref: str) -> bool:
    """Say whether a text names a roll of somebody's: a pirate and a number."""
    return bool(re.search(r"\s[oоnн]\s?\d{1,3}$", ref.strip(), re.IGNORECASE)) and names_somebody(desk, ref)


def may_name(desk: Desk, ref: str) -> bool:
    """Say whether words might be somebody's name, mistyped: one word, or near to a name."""
    name = re.sub(r"\s*\b[oоnн]\s?\d{1,3}$", "", ref.strip(), flags=re.IGNORECASE)
    found = desk.find_seat(name)
    return len(name.split()) <= 1 or _is_ref(ref) or not isinstance(found, NotFound) or bool(found.suggestions)


def stay_out(desk: Desk, rest: str) -> Order:
    """``не вмешиваюсь anna o3``: no luck goes into a roll; alone, into any that this letter does not name."""
    ref = rest.strip(" .!:")
    if len(ref.split()) > LONGEST_REF or not (_is_ref(ref) or names_somebody(desk, ref)):
        raise NotOrder
    among = [roll for roll in desk.state.rolls if f"{roll.key}/window" in desk.slots]
    if not among:
        raise _no_window(desk, own=False)
    return _spend(desk.roll(ref, among), "nothing") if ref else StayOut()


def _windows(desk: Desk, *, own: bool) -> list[Roll]:
    """Return the rolls that the viewer may put luck into: his own, or a crewmate's."""
    return [
        roll
        for roll in desk.state.rolls
        if roll.step == "window" and (roll.seat == desk.seat) == own and may_spend(desk.state, roll, desk.seat)
    ]


def _no_window(desk: Desk, *, own: bool) -> Fault:
    """Say why no luck can be spent now (P6, A23)."""
    open_ = [roll for roll in desk.state.rolls if roll.step == "window" and (roll.seat == desk.seat) == own]
    if open_ and desk.own_pirate_luck() < 1:
        return Fault("not-allowed", "no-luck", "A23")
    return Fault("not-allowed", "no-window", "P6", own=own)


# Decisions ------------------------------------------------------------------------------------------------------------


def _yes_or_no(text: str) -> bool | None:
    plain = re.sub(r"\S+/\S+", "", text)
    for key, value in (("yes", True), ("no", False)):
        if is_word("parts", key, plain):
            return value
    return None


def trade(desk: Desk, rest: str) -> Order:
    """``обмен да``, ``обмен нет`` (P8)."""
    take = _yes_or_no(rest)
    if take is None and desk.is_asked("trade"):
        take = _yes_or_no(re.split(r"[,.!;—–]", rest.strip(" :"))[0])
    if take is None:
        if len(rest.split()) > 3:
            raise NotOrder
        one = desk.decision(["trade"])
        raise Fault("unread", "yes-or-no", "P8", offers=[AnswerTrade(key=one.key, take=take) for take in (True, False)])
    return AnswerTrade(key=desk.decision(["trade"], rest).key, take=take)


def damage(desk: Desk, rest: str) -> Order:
    """``урон: фарт 1, рана 1`` (P6a, P14)."""
    parts = _damage_said(rest)
    if parts is None and not (rest.lstrip().startswith(":") and desk.is_asked("damage")):
        raise NotOrder
    one = desk.decision(["damage"], rest)
    have = desk.own_pirate_luck()
    if parts is None:
        offers = [TakeDamage(key=one.key, luck=n) for n in range(min(one.n, have) + 1)]
        raise Fault("unread", "unknown-part", "P6", typed=rest.strip(" :"), offers=offers)
    bought, taken = _shared(one.n, have, parts.get("luck"), parts.get("wound"))
    offers = [TakeDamage(key=one.key, luck=n) for n in range(min(one.n, have) + 1)]
    if bought + taken != one.n or bought < 0:
        raise Fault("not-allowed", "damage-sum", "P6", n=one.n, luck=bought, wound=taken, offers=offers)
    if bought > have:
        raise Fault("not-allowed", "no-luck", "A23", luck=have, offers=offers)
    return TakeDamage(key=one.key, luck=bought, place=max(0, parts.get("place", 0)))


def _shared(n: int, have: int, luck_: int | None, wound: int | None) -> tuple[int, int]:
    """Return how many units luck buys off and how many are wounds; −1 is a word without a number, None is not said."""
    if luck_ is not None and luck_ >= 0:
        return luck_, wound if wound is not None and wound >= 0 else n - luck_
    if wound is not None and wound >= 0:
        return n - wound, wound
    bought = min(n, have) if luck_ is not None else 0
    return bought, n - bought


def _damage_said(rest: str) -> dict[str, int] | None:
    """Return luck, wounds and slot as said, −1 where a word has no number; None where the text says anything else."""
    found: dict[str, int] = {}
    for clause in re.split(r"[,;+]|\s+и\s+|\s+and\s+", re.sub(r"\S+/\S+", "", rest).strip(" :.!")):
        number = _INT.search(clause)
        word = clause.replace(number[0], "") if number else clause
        key = next((key for key in ("luck", "wound", "place") if is_word("parts", key, word)), "")
        if not key:
            if fold(clause):
                return None
            continue
        found[key] = int(number[0].lstrip("+")) if number else -1
    return found or None


def breakdown(desk: Desk, rest: str) -> Order:
    """``поломка паруса`` (P31)."""
    plain = re.sub(r"\S+/\S+", "", rest).strip(" :.!")
    if not plain or len(plain.split()) > 2:
        raise NotOrder
    kind = desk.word("breakdowns", plain, "breakdown")
    one = _hole_decision(desk, rest)
    if kind not in BREAKDOWNS:
        raise Fault("unread", "unknown-breakdown", "P31", typed=plain, offers=_holes(one))
    return TakeHole(key=one.key, kind=cast("Literal['sails', 'deck', 'powder']", kind))


def hole(desk: Desk, rest: str) -> Order:
    """``пробоина`` (P30)."""
    if re.sub(r"\S+/\S+", "", rest).strip(" :.!"):
        raise NotOrder
    return TakeHole(key=_hole_decision(desk, rest).key)


def _hole_decision(desk: Desk, rest: str) -> Decision:
    return desk.decision(["hole"], rest)


def _holes(one: Decision) -> list[Order]:
    return [TakeHole(key=one.key, kind=cast("Literal['sails']", kind)) for kind in ("hole", *BREAKDOWNS)]


def choose(desk: Desk, rest: str) -> Order:
    """``выбор 2``, ``выбор 1, 3``: options of a list by number, id or word."""
    plain = re.sub(r"\s\S+/\S+$", "", f" {rest.strip()}").strip(" :.!")
    if len(plain.split()) > _DOUBTFUL_WORDS or not plain:
        raise NotOrder
    choosing = any(one.kind in _CHOOSING for one in desk.state.decisions if one.seat == desk.seat)
    numbers = re.fullmatch(r"(?:[+−–-]?\d{1,3}(?:\s*[,;]\s*|\s+и\s+|\s+and\s+|\s+)?)+", plain)
    if not choosing and not numbers:
        raise NotOrder
    one = desk.decision(_CHOOSING, rest)
    if is_word("parts", "nothing", plain):
        return Choose(key=one.key)
    if one.kind == "number":
        return _number_of(one, plain)
    named = option_names(desk, one)
    whole = find(plain, named)
    if isinstance(whole, NotFound) and not whole.suggestions and len(plain.split()) > 1 and not numbers:
        raise NotOrder
    parts = [plain] if isinstance(whole, Found) else re.split(r"[,;]|\s+и\s+|\s+and\s+", plain)
    picked = tuple(dict.fromkeys(_option(desk, one, part.strip(), named) for part in parts if part.strip()))
    most = one.n or 1
    if len(picked) > most:
        raise Fault("not-allowed", "too-many-options", "P2", n=most, options=one.options)
    return Choose(key=one.key, options=picked)


_CHOOSING: Final = ("choice", "revel", "priority", "number")


def _number_of(one: Decision, typed: str) -> Order:
    """Return the number an effect was left open for (page 1.5). Raises Fault for one that does not fit."""
    sign, digits = typed[:1], typed.lstrip("+−–-").strip()
    try:
        n = int(digits) * (-1 if sign in {"-", "−", "–"} else 1)
        numbered(one.about, n)
    except ValueError as why:
        offers = [Choose(key=one.key, options=("1",))]
        raise Fault("not-allowed", "number-unfit", "1.5", typed=typed, effect=one.about, offers=offers) from why
    return Choose(key=one.key, options=(str(n),))


def option_names(desk: Desk, one: Decision) -> dict[str, tuple[str, ...]]:
    """Return the options of a decision with the words they go by."""
    roll = next((roll for roll in desk.state.rolls if roll.key == one.roll), None)
    found = {}
    for option in one.options:
        names: tuple[str, ...] = (option,)
        if one.kind == "priority":
            names += group("stats").get(option, ()) or group("fields").get(option, ())
        elif one.kind == "revel":
            names += group("parts")[option]
        owner, _, own = option.rpartition(".")
        card = card_of(desk.state, owner or (roll.move if roll is not None else ""))
        texts = [line.text for line in card.option if line.id == own] if card is not None else []
        found[option] = (*names, *(text for text in texts if text))
    return found


def _option(desk: Desk, one: Decision, part: str, named: dict[str, tuple[str, ...]]) -> str:
    if part in one.options:
        return part
    if part.isdecimal():
        if 1 <= int(part) <= len(one.options):
            return one.options[int(part) - 1]
        offers = [Choose(key=one.key, options=(option,)) for option in one.options]
        raise Fault("not-allowed", "no-such-option", "P2", typed=part, n=len(one.options), offers=offers)
    return desk.settle(part, find(part, named), "option", {key: key for key in named})


def cross(desk: Desk, rest: str) -> Order:
    """``вычеркнуть 2``: which secret is stale (P25, A30)."""
    found = re.fullmatch(r"\s*:?\s*(?:тайн\w*|secret|the secret)?\s*[№#]?(\d{1,4})\s*(\S+/\S+)?[\s.!]*", rest)
    if found is None:
        raise NotOrder
    one = desk.decision(["stale"], found[2] or "")
    held = tuple(secret.id for secret in desk.state.ship.secrets)
    if int(found[1]) not in held:
        offers = [CrossOut(key=one.key, id=number) for number in held]
        raise Fault("not-allowed", "no-such-secret", "P25", secrets=held, typed=(int(found[1]),), offers=offers)
    return CrossOut(key=one.key, id=int(found[1]))


def narrate(desk: Desk, rest: str) -> Order:
    """``судьба: как спасаюсь`` (P18), ``как: …`` of a move set off."""
    return answer(desk, _after_colon(rest))


def answer(desk: Desk, text: str) -> Order:
    """Return the answer to the open question of this view in the player's own words. Raises Fault if there is none."""
    asked = [question for question in desk.view.questions if not question.choices]
    told = [decode(question.default, SetSailOrder) for question in asked]
    keys = [order.key for order in told if isinstance(order, Narrate)]
    if not keys:
        raise Fault("not-allowed", "nothing-asked", "P18")
    return Narrate(key=keys[0], text="" if text.strip() in {"—", "-", "–"} else text_of(text))


# Talks ----------------------------------------------------------------------------------------------------------------

_BID: Final = re.compile(r"\s*:?\s*(?:[nн]\s?(\d{1,3})\b\s*:?)?\s*(?:(?:на|on)\s+)?([^\W\d_]+)", re.IGNORECASE)
_LABEL: Final = re.compile(r"\s*(?:довод|аргумент|argument)\s*[:—–-]\s*", re.IGNORECASE)
_USES: Final = re.compile(r"\s*[,;]?\s*(?:тайн[аыу]|secret)\s*[№#]?(\d{1,4})", re.IGNORECASE)
_CHANCE: Final = re.compile(r"\s*[,;]\s*(?:с\s+)?(?:шанс(?:ом)?|chance)\b", re.IGNORECASE)
_ARGUMENT: Final = re.compile(r"\s*(?:[:.—–]|--|-(?=\s)|,(?=\s)|;)\s*")


def few_before_colon(rest: str) -> bool:
    """Say whether a bid might be meant by what follows the word: one word, or two before a colon."""
    return len(rest.partition(":")[0].split()) <= (2 if ":" in rest else 1)


def bid(desk: Desk, rest: str) -> Order:
    """``ставка слава; тайна 2: довод`` (P40, P43)."""
    found = _BID.match(rest)
    talks = _talks(desk)
    if found is None:
        raise NotOrder
    value = find_name(found[2], group("bids"))
    if not isinstance(value, Found) and not (talks and few_before_colon(rest)):
        raise NotOrder
    key = desk.word("bids", found[2], "bid")
    talk = _talk(talks, found[1])
    uses, chance, text = _bid_parts(rest[found.end() :])
    _check_secret(desk, talk, cast("BidValue", key), uses)
    if chance and not talk.plan:
        desk.warn("no-plan", "A46")
    return Bid(talk=talk.number, value=cast("BidValue", key), uses=uses, chance=chance, text=text_of(text))


def _bid_parts(tail: str) -> tuple[int, bool, str]:
    uses, chance = 0, False
    while found := _USES.match(tail) or _CHANCE.match(tail):
        if found.re is _USES:
            uses = int(found[1])
        else:
            chance = True
        tail = tail[found.end() :]
    sign = _ARGUMENT.match(tail)
    text = tail[sign.end() :] if sign else tail
    return uses, chance, _LABEL.sub("", text, count=1) if _LABEL.match(text) else text


def _talks(desk: Desk) -> list[Talk]:
    return [talk for talk in desk.state.talks if f"n{talk.number}/bid" in desk.slots]


def _talk(talks: Sequence[Talk], number: str | None) -> Talk:
    fitting = [talk for talk in talks if number is None or talk.number == int(number)]
    if len(fitting) == 1:
        return fitting[0]
    numbers = tuple(talk.number for talk in talks)
    if fitting:
        raise Fault("ambiguous", "which-talk", "P40", talks=numbers)
    raise Fault("not-allowed", "no-talk", "P40", talks=numbers)


def _check_secret(desk: Desk, talk: Talk, value: BidValue, uses: int) -> None:
    """Refuse a secret the speaker does not have; say of one that does not fit that it will be kept (P43, P49)."""
    if not uses:
        return
    if talk.b in desk.state.roster:
        pirate = next((one for one in desk.state.pirates if one.seat == desk.seat), None)
        about = talk.b if desk.seat == talk.a else talk.a
        held = tuple(one.id for one in (pirate.knows if pirate is not None else ()) if one.who == about)
    else:
        held = tuple(one.id for one in desk.state.ship.secrets)
    if uses not in held:
        offers = [Bid(talk=talk.number, value=value, uses=one) for one in (*held, 0)]
        raise Fault("not-allowed", "no-such-secret", "P43", secrets=held, typed=(uses,), offers=offers)
    if uses not in (talk.suitable_a if desk.seat == talk.a else talk.suitable_b):
        desk.warn("secret-unfit", "P49", secret=uses)


def give_up(desk: Desk, rest: str) -> Order:
    """``уступаю`` answers a question, or stands as a word for the next one (P45); ``дальше`` is what silence says."""
    if rest.strip(" .!") or not any(desk.seat in (talk.a, talk.b) for talk in desk.state.talks):
        raise NotOrder
    raise Fault("not-allowed", "nothing-asked", "P45")


# Set-up ---------------------------------------------------------------------------------------------------------------


def enlist(desk: Desk, rest: str) -> Order:
    """``лист: имя Анна; должность боцман; дерзость +2, репутация −1; ходы Капитанский голос`` (P1)."""
    body = _after_colon(rest)
    order = read_sheet(desk, body, AT_CREATION)
    if "sheet" not in desk.slots:
        waits = desk.state.stage == "ruling" and is_dead(desk.state, desk.seat)
        raise Fault("not-allowed", "wait-for-ruling" if waits else "no-set-up", "P1", what="sheet")
    return order


def read_sheet(desk: Desk, body: str, most: int) -> Enlist:
    """Return a pirate's sheet from its fields; no stat above ``most`` (P1). Raises Fault."""
    fields: dict[str, Any] = {}
    for clause in re.split(r"[;\n]", body):
        key = field_of(clause, ("name", "post", "background", "moves"))
        if key and key[0] == "moves":
            fields["moves"] = cards_named(desk, key[1], HELD)
        elif key:
            fields[key[0]] = text_of(key[1].rstrip(" .,…"))[:60]  # «имя …» of the answer template: not filled in
        else:
            for part in clause.split(","):
                _read_stat(desk, part, fields, most)
    known = {one.id: (one.id, one.name or one.id) for one in desk.state.backgrounds}
    found = find_name(fields["background"], known) if fields.get("background") and known else None
    if isinstance(found, Found):
        fields["background"] = found.key
    return Enlist(**fields)


def cards_named(desk: Desk, typed: str, groups: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the cards that a list names, each of one of the groups; «нет» is none. Raises Fault."""
    if is_word("parts", "no", typed) or is_word("parts", "nothing", typed):
        return ()
    found = tuple(dict.fromkeys(desk.move(part.strip(" .")) for part in typed.split(",") if part.strip(" .")))
    for one in found:
        card = card_of(desk.state, one)
        if card is None or card.group not in groups:
            fitting = [other.name or other.id for other in desk.state.cards if other.group in groups]
            raise Fault("not-allowed", "not-for-a-sheet", "P4", move=one, names=tuple(fitting))
    return found


def field_of(clause: str, fields: Sequence[str]) -> tuple[str, str] | None:
    """Return the field a clause begins with, and its value."""
    typed = clause.strip()
    for field in fields:
        for word in group("fields")[field]:
            if re.match(rf"{re.escape(word)}(?=[\s:—-])", typed.replace("ё", "е"), re.IGNORECASE):
                return field, re.sub(r"^[\s:—–-]+", "", typed[len(word) :])
    return None


def _read_stat(desk: Desk, part: str, stats: dict[str, Any], most: int) -> None:
    if not fold(part):
        return
    number = re.search(r"([+−–-]?)\s?(\d{1,2})\s*$", part.strip())
    name = part.strip()[: number.start()] if number else part
    key = desk.word("stats", name.strip(" :="), "stat")
    if number is None:
        raise Fault("unread", "no-number", "P1", typed=part.strip())
    value = int(number[2]) * (-1 if number[1] in {"-", "−", "–"} else 1)
    if key not in STATS or not LEAST <= value <= most:
        raise Fault("not-allowed", "stat-range", "P1", stat=key, value=value, most=most)
    stats[key] = value


HANDLERS: Final[dict[str, Callable[[Desk, str], Order]]] = {
    "declare": declare,
    "mine": mine,
    "more": declare,
    "hidden": hidden,
    "scheme": scheme,
    "idle": idle,
    "join": join,
    "tale": tale,
    "say": say,
    "story": say,
    "luck": luck,
    "help": help_,
    "hinder": hinder,
    "stay-out": stay_out,
    "trade": trade,
    "damage": damage,
    "breakdown": breakdown,
    "hole": hole,
    "choose": choose,
    "cross": cross,
    "fate": narrate,
    "how": narrate,
    "bid": bid,
    "yield": give_up,
    "sheet": enlist,
}
"""What reads the rest of a line, by its head."""
