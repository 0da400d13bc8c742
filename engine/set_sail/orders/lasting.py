"""Words that stand from turn to turn and save mail cycles (page 1.6): ``постоянный: если меняет полосу: фарт +1``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, cast

from engine.core.contract import Order
from engine.core.names import Found
from engine.set_sail.commands import (
    BidValue,
    StandingAid,
    StandingBids,
    StandingBreakdown,
    StandingDamage,
    StandingLuck,
    StandingOffer,
    StandingStale,
    StandingTrade,
    StandingYield,
)
from engine.set_sail.orders.desk import Desk, Fault, NotOrder, text_of
from engine.set_sail.orders.lexicon import Head, find_name, group, head_of, is_word
from engine.set_sail.state import BREAKDOWNS

ALWAYS, NEVER = -1, 99
"""`StandingDamage.above`: luck is always paid, or never."""

_IF: Final = re.compile(r"\s*(?:если|if)\b\s*", re.IGNORECASE)
_LUCK_ABOVE: Final = re.compile(r"(?:фарт\w?|luck)\s*(?:>|больше|выше|over|above)\s*(\d{1,2})\s*:?\s*", re.IGNORECASE)
_SCORE: Final = re.compile(r"(?:при\s+)?(?:счет\w?|счёт\w?|score)\s*0\s*:\s*2\s*:?\s*", re.IGNORECASE)
_BAND: Final = re.compile(
    r"(?:это\s+)?(?:меняет(?:ся)?\s+полос[уа]|(?:it\s+)?changes\s+(?:the\s+)?band)\s*:?\s*", re.IGNORECASE
)
_ELSE: Final = re.compile(r"\s*[;,]?\s*\b(?:иначе|else)\b\s*:?\s*", re.IGNORECASE)
_MOST: Final = re.compile(r"\s+(?:до|up\s+to|to)\s+(\d{1,2})\s*", re.IGNORECASE)


def standing(desk: Desk, text: str) -> Order:
    """Return the word that a text says is to stand. Raises Fault, or NotOrder for what is none."""
    opened = _IF.match(text)
    if opened is None:
        return _plain(desk, text)
    body = text[opened.end() :]
    for condition, reads in ((_LUCK_ABOVE, _if_luck), (_SCORE, _if_score), (_BAND, _if_band)):
        found = condition.match(body)
        if found is not None:
            return reads(desk, found, body[found.end() :])
    if ":" not in body:
        raise NotOrder
    raise Fault("unread", "unknown-condition", "1.6", typed=body.partition(":")[0].strip(), offers=examples())


def examples() -> tuple[Order, ...]:
    """Return words that may stand, one of each condition."""
    return (StandingLuck(), StandingDamage(above=2), StandingYield(give_up=True))


def _head(text: str) -> tuple[Head, str]:
    head = head_of(text.strip())
    if head is None:
        raise Fault("unread", "unknown-standing", "1.6", typed=text.strip(), offers=examples())
    return head, text.strip()[head.end :]


def _if_band(desk: Desk, _found: re.Match[str], text: str) -> Order:
    head, rest = _head(text)
    if head.key == "luck":
        return StandingLuck(when="band")
    if head.key == "help":
        return _aid(desk, rest)
    raise Fault("not-allowed", "not-on-band", "1.6", typed=text.strip(), offers=[StandingLuck()])


def _if_luck(_desk: Desk, found: re.Match[str], text: str) -> Order:
    above = int(found[1])
    then, *others = _ELSE.split(text, maxsplit=1)
    offers = [StandingDamage(above=above)]
    said = [_damage_word(one) for one in (then, *(one for one in others if one.strip()))]
    if said not in (["luck"], ["luck", "wound"]):
        raise Fault("not-allowed", "not-on-luck", "1.6", typed=text.strip(), offers=offers)
    return StandingDamage(above=above)


def _damage_word(text: str) -> str:
    """Return ``luck`` or ``wound`` of «урон фарт», "" for anything else."""
    head = head_of(text.strip())
    rest = text.strip()[head.end :].strip(" :.!") if head is not None and head.key == "damage" else text.strip(" .")
    return next((key for key in ("luck", "wound") if is_word("parts", key, rest)), "")


def _if_score(_desk: Desk, _found: re.Match[str], text: str) -> Order:
    head, rest = _head(text)
    if head.key not in ("yield", "play-on") or rest.strip(" .!"):
        raise Fault("not-allowed", "not-on-score", "P45", typed=text.strip(), offers=[StandingYield(give_up=True)])
    return StandingYield(give_up=head.key == "yield")


def _aid(desk: Desk, rest: str) -> Order:
    """``помощь anna до 1: как``."""
    ref, _, how = rest.partition(":")
    if is_word("parts", "nobody", ref):
        return StandingAid()
    found = _MOST.search(f"{ref} ")
    name = ref[: found.start()] if found else ref
    whom = desk.a_seat(name)
    if whom == desk.seat:
        raise Fault("not-allowed", "help-oneself", "P6", offers=[StandingLuck()])
    return StandingAid(whom=whom, most=int(found[1]) if found else 1, how=text_of(how))


# Without a condition --------------------------------------------------------------------------------------------------


def _plain(desk: Desk, text: str) -> Order:
    head, rest = _head(text)
    reads = _PLAIN.get(head.key)
    if reads is None:
        raise Fault("not-allowed", "not-standing", "1.6", typed=text.strip(), offers=examples())
    return reads(desk, rest.strip(" :"))


def _luck(_desk: Desk, rest: str) -> Order:
    if is_word("parts", "never", rest) or is_word("parts", "no", rest):
        return StandingLuck(when="never")
    if not re.fullmatch(r"(\+\s?1)?\s*(всегда|always)?[\s.!]*", rest, re.IGNORECASE):
        raise Fault(
            "unread", "unknown-standing", "1.6", typed=rest, offers=[StandingLuck(), StandingLuck(when="always")]
        )
    return StandingLuck(when="always")


def _damage(_desk: Desk, rest: str) -> Order:
    word = _damage_word(rest)
    if not word:
        offers = [StandingDamage(above=2), StandingDamage(above=ALWAYS), StandingDamage(above=NEVER)]
        raise Fault("unread", "unknown-standing", "1.6", typed=rest, offers=offers)
    return StandingDamage(above=ALWAYS if word == "luck" else NEVER)


def _breakdown(desk: Desk, rest: str) -> Order:
    kind = desk.word("breakdowns", rest.strip(" .!"), "breakdown")
    if kind not in BREAKDOWNS:
        offers = [StandingBreakdown(kind="sails"), StandingBreakdown(kind="hole")]
        raise Fault("unread", "unknown-breakdown", "P31", typed=rest, offers=offers)
    return StandingBreakdown(kind=kind)  # type: ignore[arg-type]  # one of the three, as was looked up


def _hole(_desk: Desk, _rest: str) -> Order:
    return StandingBreakdown(kind="hole")


def bids(desk: Desk, rest: str) -> Order:
    """``ставки слава, кошелёк, жизнь``: of the three rounds in order."""
    parts = [part.strip(" .!") for part in re.split(r"[,;/]|\s+и\s+|\s+and\s+|\s+(?=\S)", rest.strip(" :.!"))]
    parts = [part for part in parts if part]
    if not parts:
        raise NotOrder
    known = [isinstance(find_name(part, group("bids")), Found) for part in parts]
    if not any(known):
        raise NotOrder
    values = tuple(desk.word("bids", part, "bid") for part in parts)
    if not 1 <= len(values) <= 3 or "lot" in values:
        offers = [StandingBids(values=("glory", "purse", "life"))]
        raise Fault("not-allowed", "three-bids", "P40", n=len(values), offers=offers)
    return StandingBids(values=cast("tuple[BidValue, ...]", values))


def _trade(_desk: Desk, rest: str) -> Order:
    for key, take in (("yes", True), ("no", False)):
        if is_word("parts", key, rest):
            return StandingTrade(take=take)
    raise Fault("unread", "yes-or-no", "P8", offers=[StandingTrade(take=True), StandingTrade(take=False)])


def _cross(_desk: Desk, rest: str) -> Order:
    if is_word("parts", "oldest", rest.replace("тайну", "")):
        return StandingStale()
    found = re.fullmatch(r"(?:тайн\w*|secret)?\s*[№#]?(\d{1,4})[\s.!]*", rest)
    if found is None:
        raise Fault("unread", "unknown-standing", "A30", typed=rest, offers=[StandingStale()])
    return StandingStale(id=int(found[1]))


def _yield(_desk: Desk, _rest: str) -> Order:
    return StandingYield(give_up=True)


def _play_on(_desk: Desk, _rest: str) -> Order:
    return StandingYield(give_up=False)


def as_proposed(desk: Desk, rest: str) -> Order:
    """``постоянный: итог как предложено`` of the moderator."""
    if not desk.moderator:
        raise Fault("not-allowed", "only-moderator", "P49")
    if rest.strip(" :.!") and not is_word("parts", "as-proposed", rest):
        raise Fault("unread", "unknown-standing", "1.6", typed=rest, offers=[StandingOffer()])
    return StandingOffer()


_PLAIN: Final[dict[str, Callable[[Desk, str], Order]]] = {
    "luck": _luck,
    "help": _aid,
    "damage": _damage,
    "breakdown": _breakdown,
    "hole": _hole,
    "bids": bids,
    "bid": bids,
    "trade": _trade,
    "cross": _cross,
    "yield": _yield,
    "play-on": _play_on,
    "outcome": as_proposed,
    "no-trade": as_proposed,
}
