"""Windows, trades, bids and silence in «Поднять паруса!» by mail: what is decided, and what silence decides (1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import pytest

from engine.core.contract import Event
from engine.set_sail.events import (
    AidRefused,
    BidsOpened,
    FateChosen,
    FateRolled,
    HoleTaken,
    LuckRegained,
    LuckSpent,
    Rolled,
    TradeAnswered,
    WindowClosed,
    WoundTaken,
)
from engine.set_sail.state import SetSailState
from tests.adjudicator.services.islanders import poll, text_to
from tests.adjudicator.services.sailors import (
    SHEETS,
    campaign,
    checked,
    command,
    decide,
    happened,
    play,
    state,
)
from tests.adjudicator.services.smuggling import close_group
from tests.adjudicator.services.stage import ANNA, HOUR, Stage, maildir_stage
from tests.servers.smtp_sink import SmtpSink

OPENING = (
    "открыть главу",
    "открыть сцену: губернатор",
    "капитан Анна Бурая",
    "угроза губернатор",
    "корабль: имя Чёрная Каракатица; навигация 2; боевая мощь 1; водоизмещение 1; корпус 4",
)
THREAT = "заявка: Угрожать насилием, дерзость — нож"


@dataclass(frozen=True, slots=True)
class Played:
    """A campaign that has been played, and what was seen on the way."""

    stage: Stage
    tag: str
    deadlines: tuple[datetime, ...] = ()
    sealed: tuple[str, ...] = ()

    def events(self, number: int, *kinds: type[Event]) -> list[Event]:
        """Return what happened in a turn, of some kinds."""
        return [one for one in happened(self.stage, self.tag, number) if isinstance(one, kinds)]

    @property
    def last(self) -> SetSailState:
        """The position of the open turn."""
        return state(self.stage, self.tag)


def begun(stage: Stage, **options: str) -> str:
    """Turns 0 and 1: the sheets, and the moderator's commands, which open the first chapter at once."""
    tag = campaign(stage, **options)
    play(stage, tag, **{seat.replace("-", "_"): line for seat, line in SHEETS.items()})
    command(stage, tag, *OPENING)
    return tag


# Decided --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Turns 2 to 9: a window prolonged, a hindrance forbidden, help vetoed, a trade taken, talks of two rounds."""
    folder = tmp_path_factory.mktemp("decided")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = begun(stage, allow_hinder="ask")
        play(
            stage, tag, pirate_1="заявка: Угрожать насилием, дерзость — нож", pirate_2="do nothing", pirate_3="без хода"
        )
        play(stage, tag, moderator="бросок Анна o1: как заявлено, +9")
        deadlines = [stage.turn(tag).deadline]
        for seat, text in (("pirate-2", "hinder Анна o1: I trip her"), ("pirate-3", "помощь Анна o1: держу дверь")):
            stage.clock.move_to(stage.turn(tag).deadline - 5 * HOUR)
            stage.write(tag, seat, f"{text}\n{'do nothing' if seat == 'pirate-2' else 'без хода'}")
            poll(stage)
            deadlines.append(stage.turn(tag).deadline)
        play(stage, tag, pirate_1="заявка: Смекнуть, дальновидность — дальше")
        decide(stage, tag, pirate_1="нет")
        play(stage, tag, moderator="обмен Анна o1: вето Вера\nбросок Анна o2: нет")
        play(stage, tag, pirate_1="обмен да\nбез хода", pirate_2="do nothing", pirate_3="без хода")
        play(stage, tag, moderator="итог Анна o1: ничего\nитог Анна o2: ничего")
        command(stage, tag, "переговоры: Анна — губернатор; угроза", "ставка n1 слава")
        sealed = [state(stage, tag).talks[0].sealed]
        stage.write(tag, "pirate-1", "ставка кошелёк: моё слово\nбез хода")
        poll(stage)
        command(stage, tag, "ставка n1 жизнь", "деньги казна +1 дублон")
        sealed.append(state(stage, tag).talks[0].sealed)
        play(stage, tag, pirate_2="do nothing", pirate_3="без хода")
        play(stage, tag, pirate_1="ставка жизнь\nбез хода", pirate_2="do nothing", pirate_3="без хода")
        yield Played(stage, tag, tuple(deadlines), tuple(sealed))


def test_window_is_prolonged_once_by_twelve_hours_by_an_order_in_its_last_six(decided: Played) -> None:
    first, second, third = decided.deadlines

    assert (second - first, third - second) == (12 * HOUR, 0 * HOUR)
    assert decided.stage.turn(decided.tag, 4).phase == "window"
    assert [one["reason"] for one in decided.stage.notices("deadline-moved", ANNA)] == ["window"]


def test_hindrance_that_is_not_allowed_costs_no_luck(decided: Played) -> None:
    [refused] = decided.events(4, AidRefused)
    asked = text_to(decided.stage, ANNA, "question")
    closed = decided.events(4, WindowClosed)

    assert "Flint хочет помешать вашему броску o1 (2к6" in asked
    assert "полный успех**): −1, «I trip her». Разрешите (A5)?" in asked
    assert isinstance(refused, AidRefused)
    assert (refused.seat, refused.why) == ("pirate-2", "not-allowed")
    assert [one.seat for one in decided.events(4, LuckSpent) if isinstance(one, LuckSpent)] == ["pirate-3"]
    assert [one.band for one in closed if isinstance(one, WindowClosed)] == ["full"]
    assert next(one.luck for one in decided.last.pirates if one.seat == "pirate-2") == 3


def test_vetoed_help_gives_the_luck_back_before_a_trade_is_offered(decided: Played) -> None:
    back = [(one.seat, one.why) for one in decided.events(5, LuckRegained) if isinstance(one, LuckRegained)]

    assert back == [("pirate-3", "veto")]
    assert next(one.luck for one in decided.last.pirates if one.seat == "pirate-3") == 3


def test_trade_that_is_taken_pays_two_for_a_full_success(decided: Played) -> None:
    answered = [(one.taken, one.origin) for one in decided.events(6, TradeAnswered) if isinstance(one, TradeAnswered)]

    assert answered == [(True, "seat")]
    assert next(one.luck for one in decided.last.pirates if one.seat == "pirate-1") == 5


def test_bid_of_the_moderator_cannot_follow_the_players(decided: Played) -> None:
    receipts = [one for _, one in decided.stage.letters("receipt", "master@example.org")]
    lines = [line for one in receipts for line in getattr(one, "lines", ())]

    assert decided.sealed == ("glory", "glory")
    assert [(line.text, line.key) for line in lines if line.mark == "command-refused"] == [
        ("ставка n1 жизнь", "bid-laid")
    ]
    assert decided.last.treasury == 5


def test_bid_is_sealed_in_the_log_before_the_players_is_accepted(decided: Played) -> None:
    log = decided.stage.events(decided.tag)
    sealed = next(event for event in log if event["type"] == "lock" and event["turn"] == 8)
    bid = next(event for event in log if event["type"] == "order" and event["turn"] == 9)
    opened = [one for number in (10, 11) for one in decided.events(number, BidsOpened) if isinstance(one, BidsOpened)]

    assert sealed["at_once"]
    assert sealed["seq"] < bid["seq"]
    assert (opened[0].bid_a, opened[0].bid_b, opened[0].face) == ("purse", "glory", 0)


def test_character_without_a_sealed_bid_bids_by_a_die_of_three_sides(decided: Played) -> None:
    [second] = [one for one in decided.events(11, BidsOpened) if isinstance(one, BidsOpened)]
    dice = [
        throw for event in decided.stage.events(decided.tag, "result") if event["turn"] == 11 for throw in event["dice"]
    ]

    assert ("gubernator/n1/bid2/0", 3, second.face) in [(address, sides, face) for _, _, address, sides, face in dice]


def test_log_of_what_was_decided_is_right(decided: Played) -> None:
    assert checked(decided.stage, decided.tag).faults == ()


# Silence --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Turns 2 to 7: after the first only the moderator writes, and every deadline passes by the clock."""
    folder = tmp_path_factory.mktemp("silent")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = begun(stage)
        play(
            stage, tag, pirate_1="заявка: Угрожать насилием, дерзость — нож", pirate_2="do nothing", pirate_3="без хода"
        )
        ruled = "бросок Анна o1: как заявлено, +9\nоткрыть бой\nурон Flint 1\nпробоина\nпереговоры: Вера — губернатор"
        play(stage, tag, moderator=ruled)
        stage.pass_deadline(tag)
        play(stage, tag, moderator="обмен Анна o1: фарт Анна +1")
        stage.pass_deadline(tag)
        while stage.turn(tag).status == "asking":
            close_group(stage, tag)
        command(stage, tag, "фарт Flint -9")
        while stage.turn(tag).status == "asking":
            close_group(stage, tag)
            decide(stage, tag)
        yield Played(stage, tag)


def test_silence_puts_no_luck_into_a_roll_and_does_nothing(silent: Played) -> None:
    assert [type(one) for one in silent.events(4, LuckSpent, Rolled, WindowClosed)] == [WindowClosed]
    assert [one.key for one in silent.last.rolls if one.seat == "pirate-1"] == []


def test_silence_takes_wound_and_hole_rather_than_luck_and_breakdown(silent: Played) -> None:
    wounds = [(one.seat, one.level) for one in silent.events(4, WoundTaken) if isinstance(one, WoundTaken)]

    assert wounds == [("pirate-2", "light")]
    assert len(silent.events(4, HoleTaken)) == 1
    assert (silent.last.ship.breakdown, silent.last.ship.hull) == ("", 3)


def test_silence_refuses_a_trade_and_the_effects_ruled_with_it_come(silent: Played) -> None:
    answered = [one.taken for one in silent.events(6, TradeAnswered) if isinstance(one, TradeAnswered)]
    gained = [(one.seat, one.n) for one in silent.events(6, LuckRegained) if isinstance(one, LuckRegained)]

    assert (answered, gained) == ([False], [("pirate-1", 1)])


def test_silence_bids_by_the_dice_of_both_sides(silent: Played) -> None:
    [first] = [one for one in silent.events(4, BidsOpened) if isinstance(one, BidsOpened)]
    [result] = [event for event in silent.stage.events(silent.tag, "result") if event["turn"] == 4]

    assert [address for _, _, address, _, _ in result["dice"]][:2] == ["pirate-3/n1/bid1/0", "gubernator/n1/bid1/0"]
    assert first.text_a == ""


def test_silence_before_fate_throws_its_dice_and_leaves_the_choice_to_the_moderator(silent: Played) -> None:
    number = max(event["turn"] for event in silent.stage.events(silent.tag, "lock") if event.get("at_once"))
    [rolled] = [one for one in silent.events(number, FateRolled) if isinstance(one, FateRolled)]
    chosen = [one.chooser for one in silent.events(number, FateChosen) if isinstance(one, FateChosen)]

    assert (rolled.text, rolled.origin) == ("", "default")
    assert chosen == ["moderator"] * (not rolled.escapes)


def test_log_of_silence_is_right(silent: Played) -> None:
    assert checked(silent.stage, silent.tag).faults == ()
