"""What a campaign of «Поднять паруса!» is made of (page 1.1), and what one viewer knows of it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.contract import Question, Seat, State, Value
from engine.set_sail.cards import Card
from engine.set_sail.options import SetSailOptions

Stat: TypeAlias = Literal["der", "izv", "dal", "rep"]
STATS: Final[tuple[Stat, ...]] = ("der", "izv", "dal", "rep")
"""Дерзость, изворотливость, дальновидность, репутация."""
LEAST, MOST = -2, 3
"""Bounds of a stat (P1)."""
AT_CREATION: Final = 2
"""The highest stat of a new pirate (P1)."""
SHIP_STATS: Final = ("nav", "fire", "disp")
"""Навигация, боевая мощь, водоизмещение."""

Level: TypeAlias = Literal["light", "serious", "terrible"]
LEVELS: Final[tuple[Level, ...]] = ("light", "serious", "terrible")
WOUND_SLOTS: Final = 3

Band: TypeAlias = Literal["full", "partial", "miss"]
Status: TypeAlias = Literal["active", "out_of_scene", "dead"]
STATUSES: Final[tuple[Status, ...]] = ("active", "out_of_scene", "dead")

FATES: Final = ("prosthesis", "scar", "thrall", "quest", "nowhere", "death")
"""The six options of Fate, in the order of P20."""

BREAKDOWNS: Final[dict[str, str]] = {"sails": "nav", "deck": "disp", "powder": "fire"}
"""Breakdowns, and the stat that each lowers by 1 (P31)."""

BIDS: Final = ("purse", "life", "glory")
"""Values of negotiation, in the order of the faces of an automatic bid (fair-play, rule N)."""

DEVELOPMENTS: Final = ("fire", "nav", "disp", "move", "move-2", "rigging", "rigging-2")
"""What a ship may be developed by, each once (P34)."""

CHEST, DOUBLOON = 50, 5
"""In piastres (P24)."""

CREW: Final = "crew"
GM_ACTOR: Final = "gm"
"""The actor of dice that the moderator calls for without a declaration."""


# Pirates --------------------------------------------------------------------------------------------------------------


class Wound(Value, frozen=True, kw_only=True):
    """A wound in a slot, 1 to 3; ``unspent``: the one-use −1 of a light wound is still to come (P15).

    Wounds stand in the order in which they came; another that heals leaves them their slots. 0: the slot of its place.
    """

    level: Level
    unspent: bool = False
    slot: int = 0


class Forward(Value, frozen=True, kw_only=True):
    """A modifier to come: of the next check, or of all checks of the scene."""

    n: int
    until: Literal["next", "scene"]


class Ambush(Value, frozen=True, kw_only=True):
    """Tokens against one enemy (P10)."""

    enemy: str
    n: int = 1


class Knowledge(Value, frozen=True, kw_only=True):
    """A secret that a pirate learnt about another, ``who`` (P43): his own, not the crew's, with a number of its own."""

    id: int
    who: str
    text: str


class Pirate(Value, frozen=True, kw_only=True):
    """A pirate's sheet. ``seat`` is the player's place; ``luck_start`` what it began with (A7); ``purse`` in piastres.

    ``number`` counts the pirates of a seat: a dead one's successor inherits what was struck (A25). ``learnt`` counts
    the secrets he learnt about others: in numbers of the crew's nobody may see that he did.
    """

    seat: Seat
    name: str = ""
    number: int = 1
    post: str = ""
    background: str = ""
    der: int = 0
    izv: int = 0
    dal: int = 0
    rep: int = 0
    luck: int = 0
    luck_start: int = 0
    wounds: tuple[Wound, ...] = ()
    purse: int = 0
    status: Status = "active"
    moves: tuple[str, ...] = ()
    ambush: tuple[Ambush, ...] = ()
    forward: tuple[Forward, ...] = ()
    knows: tuple[Knowledge, ...] = ()
    learnt: int = 0


class Player(Value, frozen=True, kw_only=True):
    """What stays with a player when a pirate dies: options of Fate that are struck (P21)."""

    seat: Seat
    struck: tuple[str, ...] = ()


# Ship and world -------------------------------------------------------------------------------------------------------


class ShipSecret(Value, frozen=True, kw_only=True):
    """A secret on the ship's sheet; ``finder`` is the seat that brought it (A30)."""

    id: int
    text: str
    about: str = ""
    finder: Seat = ""


class Ship(Value, frozen=True, kw_only=True):
    """The ship's sheet. ``patched`` counts holes mended at sea in this passage (A38); ``met`` the conditions of P33."""

    name: str = ""
    kind: str = ""
    nav: int = 0
    fire: int = 0
    disp: int = 0
    hull: int = 0
    hull_max: int = 0
    breakdown: str = ""
    breakdown_used: bool = False
    patched: int = 0
    bought: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    rigging: tuple[str, ...] = ()
    secrets: tuple[ShipSecret, ...] = ()


class Faction(Value, frozen=True, kw_only=True):
    """A side of the world, and what it knows about the crew; ``name`` as the moderator wrote it, "" for the id."""

    id: str
    secrets: tuple[str, ...] = ()
    name: str = ""


class Enemy(Value, frozen=True, kw_only=True):
    """Somebody to deal with; a *threat* takes harm when it loses a talk (P46, A53). ``here``: in this scene (A10).

    ``name`` is what the moderator calls him, "" where the id does.
    """

    id: str
    threat: bool = False
    harm: int = 0
    here: bool = True
    name: str = ""


class Article(Value, frozen=True, kw_only=True):
    """An article of the code, and what it is called; ``kept``: the seats that gained by it in this scene (A28)."""

    id: str
    kind: Literal["prescription", "prohibition"]
    text: str = ""
    kept: tuple[Seat, ...] = ()
    name: str = ""


class Clock(Value, frozen=True, kw_only=True):
    """A counter of the moderator's; only an ``open`` one is shown. ``name`` as he wrote it, "" for the id."""

    id: str
    n: int = 0
    open: bool = False
    name: str = ""


class Plan(Value, frozen=True, kw_only=True):
    """A plan that was schemed, and the chances each side has for it (P37, A45)."""

    id: str
    goal: str = ""
    crew: int = 0
    gm: int = 0


# Rolls, decisions, talks ----------------------------------------------------------------------------------------------


class Modifier(Value, frozen=True, kw_only=True):
    """A part of a total, and what it is: ``stat wounds light forward card helpers chance luck help hinder``."""

    what: str
    n: int


class Aid(Value, frozen=True, kw_only=True):
    """A crewmate's luck in somebody's roll: ``n`` is +1 or −1 (P6d); ``lasting``: by a word that stands."""

    seat: Seat
    n: int
    how: str = ""
    lasting: bool = False


Step: TypeAlias = Literal["declared", "window", "decided", "offer", "trade", "choice", "applied"]


class Roll(Value, frozen=True, kw_only=True):
    """A declaration and all that became of it (page 1.6), until it is applied.

    ``key`` is ``anna/o3``, actor and slot of its dice. ``kind``: a move, a scheme, a tie check of a talk, a move set
    off by an outcome. ``step`` says what is waited for: the ruling, the window, the moderator's offer, the answer to
    it, choices; ``decided`` is a tie check whose window is over. ``modifiers`` are all but those of
    the window.
    """

    key: str
    seat: Seat
    kind: Literal["move", "scheme", "tie", "trigger"] = "move"
    step: Step = "declared"
    move: str = ""
    stat: str = ""
    wish_chance: bool = False
    text: str = ""
    hidden: bool = False
    secrets: tuple[int, ...] = ()
    goal: str = ""
    helpers: tuple[Seat, ...] = ()
    plan: str = ""
    enemy: str = ""
    talk: int = 0
    mode: Literal["normal", "advantage", "disadvantage"] = "normal"
    faces: tuple[int, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    own: int = 0
    aids: tuple[Aid, ...] = ()
    veto: tuple[Seat, ...] = ()
    total: int = 0
    band: Band | Literal[""] = ""
    traded: bool = False
    proposal: tuple[str, ...] = ()


DecisionKind: TypeAlias = Literal["trade", "damage", "hole", "choice", "stale", "revel", "priority", "number"]


class Decision(Value, frozen=True, kw_only=True):
    """Something a seat must decide before an effect is carried out; its slot in the next turn is ``key``.

    ``n``: units of damage, holes, or how many options to choose; ``level`` of a wound; ``options`` to choose from;
    ``roll`` the roll that waits for it; ``text`` the secret that is gained. Of a ``number`` the moderator is asked, who
    left one open in the effect ``about``.
    """

    key: str
    seat: Seat
    kind: DecisionKind
    roll: str = ""
    n: int = 0
    level: str = ""
    options: tuple[str, ...] = ()
    about: str = ""
    text: str = ""


class Talk(Value, frozen=True, kw_only=True):
    """Negotiations (P39–P46). Side ``a`` is the initiator's spokesperson; ``b`` a seat, or an enemy of the moderator's.

    ``round`` is the one to be bid for; ``first`` the side that is first in it. ``bids`` are values and secrets of the
    rounds that are over. ``tie`` is the key of a roll that decides the round. ``suitable``: ids of secrets that fit,
    for each side; ``about_us``: how many secrets the moderator's character may use. ``sealed``: a bid the moderator
    laid down before the players' (fair-play, rule N), "" for an automatic one; ``sealed_chance``: with his chance,
    should a check decide (A46).
    """

    number: int
    a: Seat
    b: str
    threat: bool = False
    plan: str = ""
    round: int = 1
    first: Literal["a", "b"] = "a"
    score_a: int = 0
    score_b: int = 0
    suitable_a: tuple[int, ...] = ()
    suitable_b: tuple[int, ...] = ()
    sealed: str = ""
    sealed_secret: str = ""
    sealed_chance: bool = False
    tie: str = ""
    stake_a: int = 1
    stake_b: int = 1


# The state ------------------------------------------------------------------------------------------------------------


class AidTally(Value, frozen=True, kw_only=True):
    """How much luck is left of what a standing word may spend on somebody; ``most`` is what was said last."""

    seat: Seat
    whom: Seat
    most: int
    left: int


class Background(Value, frozen=True, kw_only=True):
    """Where a pirate comes from, and the luck it gives (P5)."""

    id: str
    name: str = ""
    luck: int = 0


class SetSailState(State, frozen=True, kw_only=True):
    """A campaign between turns.

    ``turn`` counts turns from 1 (the set-up is turn 0). ``stage`` is what the open turn is: ``set-up`` (sheets),
    ``turn`` (what players owe), ``ruling`` (what the moderator owes). ``captain`` is the seat whose standing words
    count for the ship (A30, A36). ``used`` are ``anna/ugrozhat`` of cards with a number of uses a scene. ``tale_told``:
    the carouse has had its tale (P7). ``commands`` counts the moderator's own checks, ``talks_held`` talks,
    ``secrets_found`` secrets, ``plans_made`` plans: numbers only rise.
    """

    options: SetSailOptions
    roster: tuple[Seat, ...]
    turn: int = 0
    stage: Literal["set-up", "turn", "ruling"] = "set-up"
    chapter: int = 1
    scene: int = 1
    battle: bool = False
    passage: bool = False
    carouse: bool = False
    tale_told: bool = False
    captain: Seat = ""
    treasury: int = 0
    players: tuple[Player, ...] = ()
    pirates: tuple[Pirate, ...] = ()
    ship: Ship = Ship()
    factions: tuple[Faction, ...] = ()
    enemies: tuple[Enemy, ...] = ()
    code: tuple[Article, ...] = ()
    clocks: tuple[Clock, ...] = ()
    plans: tuple[Plan, ...] = ()
    talks: tuple[Talk, ...] = ()
    rolls: tuple[Roll, ...] = ()
    decisions: tuple[Decision, ...] = ()
    cards: tuple[Card, ...] = ()
    backgrounds: tuple[Background, ...] = ()
    aid: tuple[AidTally, ...] = ()
    used: tuple[str, ...] = ()
    commands: int = 0
    talks_held: int = 0
    secrets_found: int = 0
    plans_made: int = 0


class SetSailView(Value, frozen=True, kw_only=True):
    """What one viewer knows: the state with what is not his left out (`engine.set_sail.view`).

    ``crew``: the viewer is of the crew, or the moderator. ``secret_count``: how many secrets the ship's sheet holds.
    """

    seat: Seat
    crew: bool
    state: SetSailState
    secret_count: int = 0
    questions: tuple[Question, ...] = ()

    @property
    def options(self) -> SetSailOptions:
        """The switches of the campaign."""
        return self.state.options

    @property
    def roster(self) -> tuple[Seat, ...]:
        """The seats of the campaign, in their order."""
        return self.state.roster
