"""Move cards: checked TOML, the shipped stubs, and what a moderator's private file adds to them (page 1.5)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias
from unicodedata import category

import msgspec

from engine.core.contract import Value
from engine.set_sail.effects import BadEffect, parse_effect

SCHEMA: Final = "movecards/1"
LARGEST: Final = 256 * 1024
"""Bytes of a file of cards; measured before it is parsed."""
MOST: Final = 200
"""Cards in a file."""
LONGEST: Final = 4000
"""Characters of one text."""
LONGEST_NAME: Final = 80
"""Characters of what must fit into a line: names, posts, where a card comes from."""
MOST_IN_LIST: Final = 60
"""Options of a card, effects of a band, other names of a move."""
MOST_DOTS: Final = 500
"""Full stops in one line: what it takes to read a key of parts grows with their square."""
HIGHEST_VERSION: Final = 9999

_UNSEEN: Final = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
_ID: Final = re.compile(r"[a-z0-9_]{1,32}", re.ASCII)

Group: TypeAlias = Literal["basic", "ship", "ship_extra", "rigging", "special", "port", "role", "background"]
RollStat: TypeAlias = Literal["der", "izv", "dal", "rep", "nav", "fire", "disp", "ask"]
PIRATE_STATS: Final = ("der", "izv", "dal", "rep")
SHIP_STATS: Final = ("nav", "fire", "disp")
Accepted: TypeAlias = Literal["own_luck", "help", "hinder", "chance", "forward", "wounds"]
ACCEPTS: Final[tuple[Accepted, ...]] = ("own_luck", "help", "hinder", "chance", "forward", "wounds")


class BadCards(ValueError):
    """A file of cards that cannot be used: the key at fault, and what is wrong with it."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key
        self.problem = problem


class Requires(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may make a move, and where (P4); empty where anybody may. ``token``: one of ambush must be held (P10)."""

    post: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    place: Literal["any", "sea", "port"] = "any"
    ship: bool = False
    token: Literal["", "ambush"] = ""


class RollSpec(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a move is rolled. A list of stats lets the player pick; ``ask``: the moderator says."""

    kind: Literal["none", "stat", "ship", "flat"] = "stat"
    stat: RollStat | tuple[RollStat, ...] = "ask"
    dice: Literal["2d6"] = "2d6"


class Choose(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many options of the card are chosen, which there are, and by whom."""

    n: int = 0
    from_: tuple[str, ...] = msgspec.field(default=(), name="from")
    by: Literal["player", "moderator"] = "player"


class BandText(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a band brings."""

    text: str = ""
    effects: tuple[str, ...] = ()
    choose: Choose = Choose()


class CardOption(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a pick-list."""

    id: str
    text: str = ""
    effects: tuple[str, ...] = ()


class Card(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move card. ``version`` rises with every change; logs cite ``id@version``. ``private`` is the file's visibility.

    A ``stub`` has no texts: reports print the generic wording of the band, and the moderator says what comes of it.
    ``modifies`` names the ship move that a rigging improves, by ``bonus`` or by options of its own.
    """

    id: str
    version: int = 1
    name: str = ""
    aliases: tuple[str, ...] = ()
    group: Group = "basic"
    status: Literal["stub", "ready"] = "stub"
    requires: Requires = Requires()
    trigger: str = ""
    roll: RollSpec = RollSpec()
    accepts: tuple[Accepted, ...] = ACCEPTS
    replaces: str = ""
    modifies: str = ""
    bonus: int = 0
    uses: int = 0
    tag: str = ""
    option: tuple[CardOption, ...] = ()
    full: BandText = BandText()
    partial: BandText = BandText()
    miss: BandText = BandText(effects=("gm_move",))
    always: BandText = BandText()
    private: bool = False

    @property
    def cited(self) -> str:
        """``ugrozhat@1``."""
        return f"{self.id}@{self.version}"

    def band(self, band: str) -> BandText:
        """Return what a band (``full``, ``partial``, ``miss``) brings."""
        found: BandText = getattr(self, band)
        return found


class Meta(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of a file of cards."""

    schema: Literal["movecards/1"]
    lang: str = "ru"
    visibility: Literal["private", "public"] = "private"
    source: str = ""


# Reading --------------------------------------------------------------------------------------------------------------


def load(text: str) -> tuple[Card, ...]:
    """Return the cards of a TOML file. Raises BadCards, naming the key, for anything a file must not hold."""
    if len(text.encode()) > LARGEST:
        raise BadCards("file", f"more than {LARGEST} bytes")
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise BadCards("file", f"a line with more than {MOST_DOTS} full stops")
    try:
        found = tomllib.loads(text)
    except RecursionError as why:
        raise BadCards("file", "nested too deeply") from why
    except ValueError as why:  # of its own, and of numbers and dates that Python cannot hold
        raise BadCards("file", str(why)) from why
    return cards_of(found)


def cards_of(document: Mapping[str, Any]) -> tuple[Card, ...]:
    """Return the cards of a document. Raises BadCards, naming the key."""
    if unknown := sorted(set(document) - {"meta", "move"}):
        raise BadCards(unknown[0], "unknown key")
    meta = _converted(document.get("meta", {}), Meta, "meta")
    _check_texts(document.get("meta", {}), "meta")
    moves = document.get("move", [])
    if not isinstance(moves, Sequence) or isinstance(moves, str):
        raise BadCards("move", "not a list of cards")
    if len(moves) > MOST:
        raise BadCards("move", f"{len(moves)} cards, at most {MOST}")
    private = meta.visibility == "private"
    cards = tuple(_card(one, f"move[{place}]", private=private) for place, one in enumerate(moves))
    _check_together(cards)
    return cards


def _card(found: Any, where: str, *, private: bool) -> Card:
    if isinstance(found, Mapping) and "private" in found:
        raise BadCards(f"{where}.private", "unknown key")
    card: Card = _converted(found, Card, where)
    where = f"{where} ({card.id})"
    _check_id(card.id, f"{where}.id")
    _check_texts(found, where)
    _check_numbers(card, where)
    _check_roll(card, where)
    options = [option.id for option in card.option]
    for place, option in enumerate(card.option):
        _check_id(option.id, f"{where}.option[{place}].id")
        _check_effects(option.effects, f"{where}.option[{place}].effects")
    if len(set(options)) < len(options):
        raise BadCards(f"{where}.option", "an id is used twice")
    for band in ("full", "partial", "miss", "always"):
        _check_band(card, band, f"{where}.{band}")
    if card.modifies and card.group != "rigging":
        raise BadCards(f"{where}.modifies", f"only rigging modifies a move, not {card.group}")
    return msgspec.structs.replace(card, private=private)


def _converted(found: Any, type_: Any, where: str) -> Any:
    """Return a value of a type. Raises BadCards with the path to what is wrong."""
    try:
        return msgspec.convert(found, type=type_)
    except msgspec.ValidationError as why:
        problem, _, path = str(why).partition(" - at `$")
        raise BadCards(where + path.rstrip("`"), problem) from why


def _check_id(text: str, where: str) -> None:
    if not _ID.fullmatch(text):
        raise BadCards(where, f"{text!r} is not 1 to 32 of a-z 0-9 _")


def _check_numbers(card: Card, where: str) -> None:
    if not 1 <= card.version <= HIGHEST_VERSION:
        raise BadCards(f"{where}.version", f"not between 1 and {HIGHEST_VERSION}")
    if not -3 <= card.bonus <= 3:
        raise BadCards(f"{where}.bonus", f"{card.bonus} is not between -3 and 3")
    if not 0 <= card.uses <= 99:
        raise BadCards(f"{where}.uses", f"{card.uses} is not between 0 and 99")


def _check_roll(card: Card, where: str) -> None:
    """Refuse stats that a kind of roll has not: a ship's on a pirate's move (P2), a pirate's on the ship's (A40)."""
    stats = card.roll.stat if isinstance(card.roll.stat, tuple) else (card.roll.stat,)
    known = {"stat": PIRATE_STATS, "ship": SHIP_STATS}.get(card.roll.kind)
    if not stats:
        raise BadCards(f"{where}.roll.stat", "an empty list")
    for stat in stats:
        if known is not None and stat not in (*known, "ask"):
            raise BadCards(f"{where}.roll.stat", f"{stat!r} is no stat of a {card.roll.kind} roll")


def _check_band(card: Card, name: str, where: str) -> None:
    band = card.band(name)
    _check_effects(band.effects, f"{where}.effects")
    missing = [one for one in band.choose.from_ if one not in {option.id for option in card.option}]
    if missing:
        raise BadCards(f"{where}.choose.from", f"there is no option {missing[0]!r}")
    most = len(band.choose.from_) or len(card.option)
    if not 0 <= band.choose.n <= most:
        raise BadCards(f"{where}.choose.n", f"{band.choose.n} of {most} options")
    if card.status == "ready" and name != "always" and card.roll.kind != "none" and not band.text.strip():
        raise BadCards(f"{where}.text", "a ready card has a text for every band")


def _check_effects(effects: Iterable[str], where: str) -> None:
    for place, effect in enumerate(effects):
        try:
            parse_effect(effect)
        except BadEffect as why:
            raise BadCards(f"{where}[{place}]", str(why)) from why


def _check_texts(found: Any, where: str) -> None:
    """Refuse texts and lists that are too long, and signs that nobody sees; in a name a break of the line too.

    Directions of writing could show a reader another text than the one that counts.
    """
    if isinstance(found, str):
        one_line = where.rpartition(".")[2].partition("[")[0] not in ("trigger", "text", "effects")
        most = LONGEST_NAME if one_line else LONGEST
        if len(found) > most:
            raise BadCards(where, f"more than {most} characters")
        if any(category(sign) in _UNSEEN and sign not in ("" if one_line else "\n\t") for sign in found):
            raise BadCards(where, "signs that no letter can carry")
        return
    if isinstance(found, list | tuple) and len(found) > MOST_IN_LIST:
        raise BadCards(where, f"more than {MOST_IN_LIST}")
    if isinstance(found, Mapping):
        for key, one in found.items():
            _check_texts(one, f"{where}.{key}")
    elif isinstance(found, list | tuple):
        for place, one in enumerate(found):
            _check_texts(one, f"{where}[{place}]")


def _check_together(cards: tuple[Card, ...]) -> None:
    seen: set[str] = set()
    for place, card in enumerate(cards):
        if card.id in seen:
            raise BadCards(f"move[{place}] ({card.id}).id", "the id is used twice")
        seen.add(card.id)


SHORTEST_KEPT: Final = 8
"""Characters from which on a text can be known again wherever it stands."""


def kept(cards: Iterable[Card]) -> tuple[str, ...]:
    """Return the texts of private cards that are long enough to be a book's, in the order of the cards."""
    found: list[str] = []
    for card in cards:
        if card.private:
            found += [card.trigger, *(option.text for option in card.option)]
            bands = (card.full, card.partial, card.miss, card.always)
            found += [band.text for band in bands]
            effects = [text for band in bands for text in band.effects]
            effects += [text for option in card.option for text in option.effects]
            found += [text.partition(":")[2] for text in effects if text.startswith("note:")]
    return tuple(dict.fromkeys(text.strip() for text in found if len(text.strip()) >= SHORTEST_KEPT))


# Decks ----------------------------------------------------------------------------------------------------------------


@cache
def stubs() -> tuple[Card, ...]:
    """Return the shipped cards: names alone, for the texts belong to the book."""
    return load((resources.files("engine.set_sail") / "data" / "stubs.toml").read_text("utf-8"))


def added(laid: tuple[Card, ...], own: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return a deck with one more file laid over it: a card of an id that is there takes its place.

    Raises BadCards as `deck` does, and for more cards than a file may hold.
    """
    before = {card.id: card for card in laid if card not in stubs()}
    both = tuple((before | {card.id: card for card in own}).values())
    if len(both) > MOST:
        raise BadCards("move", f"{len(both)} cards with those laid before, at most {MOST}")
    return deck(both)


def deck(own: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """Return the shipped cards with a group's own laid over them, each in the place of its id or of ``replaces``.

    Raises BadCards for a card that replaces or modifies one that is not there.
    """
    laid = {card.id: card for card in stubs()}
    for place, card in enumerate(own):
        if card.replaces and card.replaces not in laid:
            raise BadCards(f"move[{place}] ({card.id}).replaces", f"there is no card {card.replaces!r}")
        if card.replaces:
            laid = {key: one for key, one in laid.items() if key != card.replaces}
        laid[card.id] = card
    for card in laid.values():
        if card.modifies and card.modifies not in laid:
            raise BadCards(f"({card.id}).modifies", f"there is no card {card.modifies!r}")
        for trigger in triggers(card):
            if trigger not in laid:
                raise BadCards(f"({card.id}).effects", f"there is no card {trigger!r}")
    return tuple(laid.values())


def triggers(card: Card) -> tuple[str, ...]:
    """Return the ids of the moves that effects of a card set off."""
    texts = [text for band in (card.full, card.partial, card.miss, card.always) for text in band.effects]
    texts += [text for option in card.option for text in option.effects]
    effects = map(parse_effect, texts)
    return tuple(effect.key for effect in effects if effect.kind == "trigger")
