"""The events of «Поднять паруса!»: what happened, by which rule; seats, rolls, cards and effects as in orders."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.contract import Event, Origin, Seat
from engine.set_sail.effects import Change
from engine.set_sail.state import Band, Modifier


class CampaignBegan(Event, frozen=True, kw_only=True):
    """The campaign was opened with these seats."""

    seats: tuple[Seat, ...]


class PirateEnlisted(Event, frozen=True, kw_only=True):
    """A sheet was filled in (P1); ``successor``: after a pirate that died (A25)."""

    seat: Seat
    name: str
    successor: bool = False


class Said(Event, frozen=True, kw_only=True):
    """What a pirate said, or the moderator told (``moderator``)."""

    seat: Seat
    text: str


class Declared(Event, frozen=True, kw_only=True):
    """A pirate declared something: the wished move and stat, and what he does."""

    roll: str
    seat: Seat
    move: str = ""
    stat: str = ""
    text: str = ""
    goal: str = ""
    secrets: tuple[int, ...] = ()


class Ruled(Event, frozen=True, kw_only=True):
    """The moderator ruled a declaration; ``rolls`` false: it just happens. ``card`` cites ``id@version``."""

    roll: str
    seat: Seat
    rolls: bool
    card: str = ""
    stat: str = ""
    mode: str = "normal"


class ChanceSpent(Event, frozen=True, kw_only=True):
    """A chance of the crew or the moderator was put into a roll (P38, A43)."""

    roll: str
    side: Literal["crew", "gm"]
    plan: str
    left: int


class SchemeJoined(Event, frozen=True, kw_only=True):
    """A crewmate took part in a scheme (P36); ``counted`` false: he cannot pay, or three were there before (A61)."""

    roll: str
    seat: Seat
    counted: bool
    paid: int = 0


class Rolled(Event, frozen=True, kw_only=True):
    """Dice were thrown: all faces, those kept, the modifiers and their total (P2, P3)."""

    roll: str
    seat: Seat
    card: str
    stat: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    total: int
    band: Band

    @property
    def dice(self) -> str:
        """Of a declaration ``anna/o3/main/``; of a tie and a move set off the key of the roll itself."""
        return f"{self.roll}/" if self.roll.count("/") > 1 else f"{self.roll}/main/"


class LuckSpent(Event, frozen=True, kw_only=True):
    """Luck was spent: on a roll, a wound, a reputation, a scheme, a lost talk."""

    seat: Seat
    n: int
    why: str
    left: int
    roll: str = ""
    forced: bool = False


class LuckRegained(Event, frozen=True, kw_only=True):
    """Luck came back (P7)."""

    seat: Seat
    n: int
    why: str
    left: int


class Aided(Event, frozen=True, kw_only=True):
    """A crewmate helped (+1) or hindered (−1) a roll, and how (P6d)."""

    roll: str
    seat: Seat
    n: int
    how: str = ""


class AidRefused(Event, frozen=True, kw_only=True):
    """Somebody's luck could not go into a roll: ``no-luck``, ``veto``, ``not-allowed``; it is not spent (A4, A5)."""

    roll: str
    seat: Seat
    why: str


class WindowClosed(Event, frozen=True, kw_only=True):
    """Nobody can touch a roll any more: its final total and band (A8). ``card`` cites ``id@version``."""

    roll: str
    seat: Seat
    total: int
    band: Band
    card: str = ""


class TradeOffered(Event, frozen=True, kw_only=True):
    """The moderator offered to make a success a failure for so much luck (P8)."""

    roll: str
    seat: Seat
    pays: int


class TradeAnswered(Event, frozen=True, kw_only=True):
    """The trade was taken or refused."""

    roll: str
    seat: Seat
    taken: bool
    origin: Origin = "seat"


class EffectsRuled(Event, frozen=True, kw_only=True):
    """What the engine proposed of a roll, and what the moderator made of it; the same where he changed nothing."""

    roll: str
    seat: Seat
    proposed: tuple[str, ...]
    applied: tuple[str, ...]


class EffectApplied(Event, frozen=True, kw_only=True):
    """An effect of the vocabulary was carried out, with the changes that take it back."""

    effect: str
    roll: str = ""
    changes: tuple[Change, ...] = ()


class EffectUndone(Event, frozen=True, kw_only=True):
    """An effect was taken back; ``why`` it could not be, if it could not."""

    effect: str
    why: str = ""


class CommandFailed(Event, frozen=True, kw_only=True):
    """A command of the moderator's that cannot be done now, and why not."""

    command: str
    why: str


class WoundTaken(Event, frozen=True, kw_only=True):
    """A wound came into a slot, or one there grew worse (P11–P14); ``was`` "" for a new one."""

    seat: Seat
    place: int
    level: str
    was: str = ""


class WoundHealed(Event, frozen=True, kw_only=True):
    """A wound healed, or grew lighter (P15, P16)."""

    seat: Seat
    place: int
    was: str
    level: str = ""


class FateMet(Event, frozen=True, kw_only=True):
    """A pirate meets Fate: ``luck``, ``wound``, ``talk``, ``ruling`` (P17)."""

    seat: Seat
    cause: str


class FateRolled(Event, frozen=True, kw_only=True):
    """How the pirate tries to survive, and the two dice (P18, P19)."""

    seat: Seat
    text: str
    faces: tuple[int, ...]
    total: int
    escapes: bool
    origin: Origin = "seat"


class FateChosen(Event, frozen=True, kw_only=True):
    """An option of Fate was chosen and struck; "" where all are struck and the moderator tells it (P21)."""

    seat: Seat
    option: str
    chooser: Literal["player", "moderator"]


class StatusChanged(Event, frozen=True, kw_only=True):
    """A pirate left the scene, came back, or died."""

    seat: Seat
    status: str


class ReputationChanged(Event, frozen=True, kw_only=True):
    """A reputation rose, fell, or could do neither (P22, P23)."""

    seat: Seat
    n: int
    value: int
    article: str = ""


class StatChanged(Event, frozen=True, kw_only=True):
    """A stat of a pirate, or of the ship (seat ""), has a new value."""

    seat: Seat
    stat: str
    value: int


class ForwardGained(Event, frozen=True, kw_only=True):
    """A modifier to come was gained."""

    seat: Seat
    n: int
    until: str


class AmbushChanged(Event, frozen=True, kw_only=True):
    """Tokens against an enemy were gained or spent, or burnt (P10)."""

    seat: Seat
    enemy: str
    n: int
    burnt: bool = False


class MoneyMoved(Event, frozen=True, kw_only=True):
    """Piastres came or went; ``purse`` is a seat, "" the treasury."""

    purse: Seat
    n: int
    left: int
    why: str = ""


class SecretGained(Event, frozen=True, kw_only=True):
    """The crew learnt a secret, or a pirate one about another (``seat``)."""

    id: int
    text: str
    whom: str = ""
    seat: Seat = ""


class SecretLost(Event, frozen=True, kw_only=True):
    """A secret was crossed out: ``stale``, ``schemed``, ``told``, ``effect``."""

    id: int
    why: str
    text: str = ""


class SecretExposed(Event, frozen=True, kw_only=True):
    """Another side learnt a secret about the crew, or forgot one."""

    who: str
    n: int
    text: str


class HoleTaken(Event, frozen=True, kw_only=True):
    """The ship was holed; the hull that is left."""

    hull: int


class BreakdownTaken(Event, frozen=True, kw_only=True):
    """A breakdown instead of a hole (P31)."""

    kind: str


class Foundering(Event, frozen=True, kw_only=True):
    """A hole at hull 0: «Не пойти ко дну» at once, once a salvo (P30, A37)."""

    roll: str


class MoveTriggered(Event, frozen=True, kw_only=True):
    """An outcome set off a move."""

    roll: str
    seat: Seat
    card: str


class ShipMended(Event, frozen=True, kw_only=True):
    """The hull was raised, or a breakdown removed, for so many piastres."""

    hull: int
    n: int = 0
    breakdown: str = ""
    paid: int = 0


class ShipDeveloped(Event, frozen=True, kw_only=True):
    """An improvement was built (P33, P34)."""

    option: str
    card: str = ""
    hull: int = 0
    hull_max: int = 0


class ShipLaunched(Event, frozen=True, kw_only=True):
    """The crew has a ship, or another one (P26); ``again``: the one it has was refitted, or her sheet set right."""

    name: str
    kind: str = ""
    priority: str = ""
    again: bool = False


class FlagRaised(Event, frozen=True, kw_only=True):
    """A condition of development was met (P33)."""

    flag: str


class SchemeLaid(Event, frozen=True, kw_only=True):
    """What came of «Строить козни» (P37)."""

    roll: str
    plan: str
    goal: str
    crew: int
    gm: int


class ChancesChanged(Event, frozen=True, kw_only=True):
    """Chances of a plan changed otherwise, or went with it (A45)."""

    plan: str
    crew: int
    gm: int


class TalkOpened(Event, frozen=True, kw_only=True):
    """Negotiations began (P39)."""

    talk: int
    a: Seat
    b: str
    first: str


class BidsOpened(Event, frozen=True, kw_only=True):
    """The bids of a round, the arguments, and who took it ("" nobody, ``tie`` a check decides).

    ``secret_a`` and ``secret_b`` say that a secret was used; those who may know what it says are told by another event.
    """

    talk: int
    round: int
    bid_a: str
    bid_b: str
    text_a: str = ""
    text_b: str = ""
    secret_a: bool = False
    secret_b: bool = False
    winner: str = ""
    score_a: int = 0
    score_b: int = 0
    face: int = 0
    a: Seat = ""
    b: str = ""


class RoundDecided(Event, frozen=True, kw_only=True):
    """The check over equal bids is final: who took the round (P42)."""

    talk: int
    round: int
    winner: str
    score_a: int
    score_b: int
    a: Seat = ""
    b: str = ""


class TalkEnded(Event, frozen=True, kw_only=True):
    """Negotiations are over: who yields, "" for a compromise (P44); ``yielded`` before the third round (P45)."""

    talk: int
    score_a: int
    score_b: int
    winner: str
    yielded: bool = False
    a: Seat = ""
    b: str = ""


class TaleTold(Event, frozen=True, kw_only=True):
    """A tale at the carouse; ``pays``: it was the first (P7)."""

    seat: Seat
    text: str
    pays: bool


class Gated(Event, frozen=True, kw_only=True):
    """A scene, chapter, battle, passage or carouse was opened or closed (P49)."""

    what: str
    opens: bool
    number: int = 0


class Harmed(Event, frozen=True, kw_only=True):
    """An enemy took harm (P46)."""

    enemy: str
    n: int
    harm: int


class ClockMoved(Event, frozen=True, kw_only=True):
    """A clock of the moderator's moved."""

    clock: str
    n: int


class WorldPut(Event, frozen=True, kw_only=True):
    """The moderator put something of the world: enemy, side, article, captain."""

    what: str
    id: str
    name: str = ""
    text: str = ""


class CardsLaid(Event, frozen=True, kw_only=True):
    """A file of cards was laid over the deck: ``id@version`` of each."""

    cards: tuple[str, ...]


class GmMove(Event, frozen=True, kw_only=True):
    """The moderator brings in trouble (P2)."""

    roll: str = ""
    seat: Seat = ""


class Noted(Event, frozen=True, kw_only=True):
    """A note of a card or of the moderator's, for the story."""

    text: str
    roll: str = ""


class OptionsChosen(Event, frozen=True, kw_only=True):
    """Options of a card were chosen, and by whom; ``card`` cites ``id@version``."""

    roll: str
    seat: Seat
    options: tuple[str, ...]
    by: str
    card: str = ""


class ExtraConsequence(Event, frozen=True, kw_only=True):
    """A revel's band: who chooses, and who picks one consequence more (P48, A54)."""

    roll: str
    seat: Seat
    chooser: Literal["player", "moderator"]
    extra: bool


SetSailEvent: TypeAlias = (
    CampaignBegan
    | PirateEnlisted
    | Said
    | Declared
    | Ruled
    | ChanceSpent
    | SchemeJoined
    | Rolled
    | LuckSpent
    | LuckRegained
    | Aided
    | AidRefused
    | WindowClosed
    | TradeOffered
    | TradeAnswered
    | EffectsRuled
    | EffectApplied
    | EffectUndone
    | CommandFailed
    | WoundTaken
    | WoundHealed
    | FateMet
    | FateRolled
    | FateChosen
    | StatusChanged
    | ReputationChanged
    | StatChanged
    | ForwardGained
    | AmbushChanged
    | MoneyMoved
    | SecretGained
    | SecretLost
    | SecretExposed
    | HoleTaken
    | BreakdownTaken
    | Foundering
    | MoveTriggered
    | ShipMended
    | ShipDeveloped
    | ShipLaunched
    | FlagRaised
    | SchemeLaid
    | ChancesChanged
    | TalkOpened
    | BidsOpened
    | RoundDecided
    | TalkEnded
    | TaleTold
    | Gated
    | Harmed
    | ClockMoved
    | WorldPut
    | CardsLaid
    | GmMove
    | Noted
    | OptionsChosen
    | ExtraConsequence
)
