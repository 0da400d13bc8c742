"""The orders of «Поднять паруса!» as values: what players and the moderator may say (page 1.6, *Order lines*).

Rolls are named by their key (``anna/o3``), seats by their ids, moves by the ids of their cards, effects as the
vocabulary writes them.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.contract import Order, Seat

BidValue: TypeAlias = Literal["purse", "life", "glory"]
"""Кошелёк, жизнь, слава."""
LOT = "lot"
"""A bid that is left to the dice."""


# Set-up ---------------------------------------------------------------------------------------------------------------


class Enlist(Order, frozen=True, kw_only=True):
    """A pirate's sheet as his player fills it in, or the moderator sets it right (P1, P5).

    What is not said stays as it is on a sheet that is there, and is 0, or none, on a new one. ``moves``: the cards of
    his post, his background and of special moves that he holds (P4).
    """

    name: str = ""
    post: str = ""
    background: str = ""
    der: int | None = None
    izv: int | None = None
    dal: int | None = None
    rep: int | None = None
    moves: tuple[str, ...] | None = None

    @property
    def slot(self) -> str:
        """``sheet``."""
        return "sheet"


# Declarations ---------------------------------------------------------------------------------------------------------


class Declare(Order, frozen=True, kw_only=True):
    """What the pirate does. Move, stat and chance are wishes; ``hidden``: only the moderator is to know."""

    number: int
    move: str = ""
    stat: str = ""
    chance: bool = False
    text: str = ""
    hidden: bool = False

    @property
    def slot(self) -> str:
        """``o3``."""
        return f"o{self.number}"

    @property
    def trace(self) -> Order:
        """Its number."""
        return Taken(number=self.number)


class Scheme(Order, frozen=True, kw_only=True):
    """Leads «Строить козни» with some of the crew's secrets (P35)."""

    number: int
    goal: str
    secrets: tuple[int, ...]

    @property
    def slot(self) -> str:
        """``o3``."""
        return f"o{self.number}"

    @property
    def trace(self) -> Order:
        """Its number."""
        return Taken(number=self.number)


class Idle(Order, frozen=True, kw_only=True):
    """The pirate does nothing (page 1.6, *Silence*)."""

    number: int = 1

    @property
    def slot(self) -> str:
        """``o1``."""
        return f"o{self.number}"


class Taken(Order, frozen=True, kw_only=True):
    """A number that a declaration of this turn has had, a refused or dropped one too (fair-play 3.5)."""

    number: int

    @property
    def slot(self) -> str:
        """``o3/taken``."""
        return f"o{self.number}/taken"

    @property
    def trace(self) -> Order:
        """Itself."""
        return self


class TakePart(Order, frozen=True, kw_only=True):
    """Takes part in a scheme (P36). ``leader`` is "" where only one is laid; ``arrival`` orders those who came."""

    queues: ClassVar[bool] = True

    leader: Seat = ""
    arrival: int = 0

    @property
    def slot(self) -> str:
        """``join``."""
        return "join"


class Tale(Order, frozen=True, kw_only=True):
    """Tells a tale at the carouse (P7, HB1)."""

    text: str

    @property
    def slot(self) -> str:
        """``tale``."""
        return "tale"


class Say(Order, frozen=True, kw_only=True):
    """What the pirate says, or the moderator tells: prose for the report."""

    text: str

    @property
    def slot(self) -> str:
        """``say``."""
        return "say"


# After the roll -------------------------------------------------------------------------------------------------------


class Spend(Order, frozen=True, kw_only=True):
    """What a seat does about a roll whose window is open (P6c, P6d)."""

    roll: str
    act: Literal["luck", "help", "hinder", "nothing"]
    how: str = ""

    @property
    def slot(self) -> str:
        """``anna/o3/window``."""
        return f"{self.roll}/window"


class StayOut(Order, frozen=True, kw_only=True):
    """No luck goes into any roll but those the same letter names (P6): it answers for every open window."""

    @property
    def slot(self) -> str:
        """``windows``."""
        return "windows"


class AnswerTrade(Order, frozen=True, kw_only=True):
    """Takes or refuses the moderator's trade (P8)."""

    key: str
    take: bool

    @property
    def slot(self) -> str:
        """``anna/o3/trade/0``."""
        return self.key


class TakeDamage(Order, frozen=True, kw_only=True):
    """Buys off so many wounds with luck and takes the rest; ``place`` is the wound to grow among equals (P14)."""

    key: str
    luck: int = 0
    place: int = 0

    @property
    def slot(self) -> str:
        """``anna/o3/damage/0``."""
        return self.key


class TakeHole(Order, frozen=True, kw_only=True):
    """Takes a hole, or a breakdown in its stead (P31)."""

    key: str
    kind: Literal["hole", "sails", "deck", "powder"] = "hole"

    @property
    def slot(self) -> str:
        """``anna/o3/hole/0``."""
        return self.key


class Choose(Order, frozen=True, kw_only=True):
    """Chooses options of a list."""

    key: str
    options: tuple[str, ...] = ()

    @property
    def slot(self) -> str:
        """``anna/o3/choice/0``."""
        return self.key


class CrossOut(Order, frozen=True, kw_only=True):
    """Says which of the three secrets is stale when a fourth is gained (P25, A30)."""

    key: str
    id: int

    @property
    def slot(self) -> str:
        """``anna/o3/stale/0``."""
        return self.key


class Narrate(Order, frozen=True, kw_only=True):
    """Answers an open question in words: how the pirate tries to survive (P18)."""

    key: str
    text: str

    @property
    def slot(self) -> str:
        """``anna/x1/fate/0``."""
        return self.key


class Bid(Order, frozen=True, kw_only=True):
    """A sealed bid for the round of a talk, with the argument (P40); ``lot``: one die of three sides bids.

    ``uses`` is a secret, 0 for none (P43). ``chance``: of the plan the talk belongs to, should a check decide (A46).
    """

    talk: int
    value: BidValue | Literal["lot"]
    uses: int = 0
    chance: bool = False
    text: str = ""

    @property
    def slot(self) -> str:
        """``n2/bid``."""
        return f"n{self.talk}/bid"


# Standing words -------------------------------------------------------------------------------------------------------


class _Standing(Order, frozen=True, kw_only=True):
    """An order that stands from turn to turn and answers a kind of question."""

    lasts: ClassVar[bool] = True


class StandingLuck(_Standing, frozen=True, kw_only=True):
    """Own +1 on every check, or only where it changes the band; ``never``: is not asked."""

    when: Literal["band", "always", "never"] = "band"

    @property
    def slot(self) -> str:
        """``standing-luck``."""
        return "standing-luck"


class StandingAid(_Standing, frozen=True, kw_only=True):
    """Helps a crewmate where it changes the band, up to so much luck in all; ``whom`` "" and 0: helps nobody."""

    whom: Seat = ""
    most: int = 0
    how: str = ""

    @property
    def slot(self) -> str:
        """``standing-aid/boris``."""
        return f"standing-aid/{self.whom or 'nobody'}"


class StandingDamage(_Standing, frozen=True, kw_only=True):
    """Pays luck for wounds while luck is above a number, else takes them; ``above`` −1: always, 99: never."""

    above: int

    @property
    def slot(self) -> str:
        """``standing-damage``."""
        return "standing-damage"


class StandingBreakdown(_Standing, frozen=True, kw_only=True):
    """Takes this breakdown instead of a hole wherever it may (P31, A36)."""

    kind: Literal["hole", "sails", "deck", "powder"]

    @property
    def slot(self) -> str:
        """``standing-breakdown``."""
        return "standing-breakdown"


class StandingBids(_Standing, frozen=True, kw_only=True):
    """Bids of the three rounds in order (page 1.6)."""

    values: tuple[BidValue, ...]

    @property
    def slot(self) -> str:
        """``standing-bids``."""
        return "standing-bids"


class StandingYield(_Standing, frozen=True, kw_only=True):
    """Yields, or plays on, at 0:2 (P45)."""

    give_up: bool

    @property
    def slot(self) -> str:
        """``standing-yield``."""
        return "standing-yield"


class StandingStale(_Standing, frozen=True, kw_only=True):
    """Crosses out this secret when a fourth comes, 0 for the oldest (A30)."""

    id: int = 0

    @property
    def slot(self) -> str:
        """``standing-stale``."""
        return "standing-stale"


class StandingTrade(_Standing, frozen=True, kw_only=True):
    """Takes or refuses every trade (P8)."""

    take: bool

    @property
    def slot(self) -> str:
        """``standing-trade``."""
        return "standing-trade"


# The moderator --------------------------------------------------------------------------------------------------------


class Ruling(Order, frozen=True, kw_only=True):
    """How a declaration is rolled (RULED); ``move`` "" and ``rolls`` false: it just happens (P2).

    ``chance``: the crew's for advantage; ``gm_chance``: the moderator's. ``bonus``: a card's or a situation's.
    ``secrets``: those of a scheme that fit (P35), None for all. ``veto``: who cannot affect it (A4).
    ``enemy``: against whom.
    """

    roll: str
    rolls: bool = True
    move: str = ""
    stat: str = ""
    chance: bool = False
    gm_chance: bool = False
    plan: str = ""
    bonus: int = 0
    enemy: str = ""
    secrets: tuple[int, ...] | None = None
    veto: tuple[Seat, ...] = ()

    @property
    def slot(self) -> str:
        """``anna/o3/ruling``."""
        return f"{self.roll}/ruling"


class Offer(Order, frozen=True, kw_only=True):
    """What comes of a roll: a trade is offered or not, effects as proposed (None) or edited; ``veto`` of aid (A4)."""

    roll: str
    trade: bool = False
    effects: tuple[str, ...] | None = None
    veto: tuple[Seat, ...] = ()

    @property
    def slot(self) -> str:
        """``anna/o3/offer``."""
        return f"{self.roll}/offer"


class StandingOffer(_Standing, frozen=True, kw_only=True):
    """Offers no trade and takes every proposal without open numbers as it is."""

    @property
    def slot(self) -> str:
        """``standing-offer``."""
        return "standing-offer"


class _Command(Order, frozen=True, kw_only=True):
    """What the moderator does at once; commands of a mail are numbered and done in their order."""

    at_once: ClassVar[bool] = True

    number: int

    @property
    def slot(self) -> str:
        """``c3``."""
        return f"c{self.number}"


class DoEffect(_Command, frozen=True, kw_only=True):
    """Carries out one effect of the vocabulary: wound, heal, luck, money, secret, hole, breakdown."""

    effect: str


class UndoEffect(_Command, frozen=True, kw_only=True):
    """Takes an effect back, by the changes its event lists."""

    effect: str
    changes: tuple[tuple[str, str, str, str], ...]


Gated: TypeAlias = Literal["scene", "chapter", "battle", "passage", "carouse"]


class Gate(_Command, frozen=True, kw_only=True):
    """Opens or closes a scene, chapter, battle, passage or carouse (P49).

    ``enemies``: those of a new scene (A10). ``floats``: false when the ship was lost in the battle that closes.
    ``new_shore``: the passage ends at one where the ship has not been (P33). ``called``: ids of enemies nobody knew,
    and their names.
    """

    what: Gated
    opens: bool
    enemies: tuple[str, ...] = ()
    called: tuple[tuple[str, str], ...] = ()
    floats: bool = True
    new_shore: bool = False


class OpenTalk(_Command, frozen=True, kw_only=True):
    """Starts a negotiation (P39); ``suitable_a`` and ``suitable_b`` are secrets that fit (P49).

    ``called`` is the name of a ``b`` nobody knew.
    """

    a: Seat
    b: str
    called: str = ""
    threat: bool = False
    plan: str = ""
    suitable_a: tuple[int, ...] = ()
    suitable_b: tuple[int, ...] = ()


class SealBid(_Command, frozen=True, kw_only=True):
    """Lays down the bid of the moderator's character before the players' (fair-play, rule N).

    ``lot`` leaves it to one die after all. ``chance``: his own, of the plan the talk belongs to, should a check decide
    (A46).
    """

    talk: int
    value: BidValue | Literal["lot"]
    uses: str = ""
    chance: bool = False

    @property
    def precedes(self) -> str:
        """``n2/bid``: by mail the moderator could read the player's."""
        return f"n{self.talk}/bid"


class CallCheck(_Command, frozen=True, kw_only=True):
    """Calls for a check without a declaration; its dice are ``gm/o<n>/main``."""

    seat: Seat
    move: str = ""
    stat: str = ""
    bonus: int = 0
    enemy: str = ""
    chance: bool = False
    gm_chance: bool = False
    plan: str = ""


class Conduct(_Command, frozen=True, kw_only=True):
    """Says that a pirate knowingly kept or broke an article of the code (P22, A28)."""

    seat: Seat
    article: str
    kept: bool


class Learn(_Command, frozen=True, kw_only=True):
    """A pirate learns a secret about another (P43)."""

    seat: Seat
    who: str
    text: str


class DropPlan(_Command, frozen=True, kw_only=True):
    """A plan has succeeded, failed or is dropped; its chances go (A45)."""

    plan: str


class Repair(_Command, frozen=True, kw_only=True):
    """In port: raises the hull, or removes the breakdown, each for a chest (P32)."""

    what: Literal["hull", "breakdown"]
    n: int = 1


class Develop(_Command, frozen=True, kw_only=True):
    """Develops the ship (P33); ``card`` is the move or rigging that is chosen."""

    option: str
    card: str = ""


class Launch(_Command, frozen=True, kw_only=True):
    """Sets the ship's sheet, with its priority's bonus (P26, P27); ``ordered``: built, or refitted, for the crew.

    Of a ship that the crew has not by that name all is new; else, and without a name, what is not said stays as it is.
    ``hull`` is the hull and its maximum; ``moves``, ``rigging`` and ``bought`` what was chosen by P34.
    """

    name: str = ""
    kind: str = ""
    nav: int | None = None
    fire: int | None = None
    disp: int | None = None
    hull: int | None = None
    moves: tuple[str, ...] | None = None
    rigging: tuple[str, ...] | None = None
    bought: tuple[str, ...] | None = None
    priority: Literal["", "nav", "fire", "disp", "hull"] = ""
    ordered: bool = False


class Hire(_Command, frozen=True, kw_only=True):
    """A seat's new pirate, or a sheet set right (A25); ``luck`` None: what the background gives."""

    seat: Seat
    sheet: Enlist
    luck: int | None = None


class Put(_Command, frozen=True, kw_only=True):
    """Puts something of the world: an enemy, a side, an article, a clock, the captain.

    ``name`` is what it was called in making its id; ``text`` what an article says, or another name to bear.
    """

    what: Literal["enemy", "threat", "side", "prescription", "prohibition", "clock", "open-clock", "captain"]
    id: str
    name: str = ""
    text: str = ""
    n: int = 0


class LayCards(_Command, frozen=True, kw_only=True):
    """Lays the group's file of cards over the deck; ``document`` is its TOML (page 1.5)."""

    document: str


PlayerOrder: TypeAlias = (
    Enlist
    | Declare
    | Scheme
    | Idle
    | TakePart
    | Tale
    | Say
    | Spend
    | StayOut
    | AnswerTrade
    | TakeDamage
    | TakeHole
    | Choose
    | CrossOut
    | Narrate
    | Bid
)
StandingOrder: TypeAlias = (
    StandingLuck
    | StandingAid
    | StandingDamage
    | StandingBreakdown
    | StandingBids
    | StandingYield
    | StandingStale
    | StandingTrade
    | StandingOffer
)
CommandOrder: TypeAlias = (
    DoEffect
    | UndoEffect
    | Gate
    | OpenTalk
    | SealBid
    | CallCheck
    | Conduct
    | Learn
    | DropPlan
    | Repair
    | Develop
    | Launch
    | Hire
    | Put
    | LayCards
)
SetSailOrder: TypeAlias = PlayerOrder | Taken | StandingOrder | Ruling | Offer | CommandOrder
