"""``поправить N место: …``: a turn resolved again with the orders that should have counted, no die moved (rule C)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from adjudicator.letters import Notice, Reader, Report
from adjudicator.services import amending, archive, casefile, disputes, ending, history, positions, turns
from adjudicator.services.header import Header
from adjudicator.services.moderation import By
from adjudicator.services.render import render
from adjudicator.services.schedule import min_notice
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from engine.core.contract import MODERATOR
from engine.core.dice import Throw
from engine.set_sail.events import Rolled
from tests.adjudicator.services import sailors, smuggling
from tests.adjudicator.services.islanders import poll
from tests.adjudicator.services.sailors import MASTER, SHEETS, campaign, command, finish, happened
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    MINUTE,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
    maildir_stage,
)
from tests.adjudicator.services.test_moderator import confirm, done, judged, order
from tests.adjudicator.services.test_secrecy import checked
from tests.rulesets import installed
from tests.servers.smtp_sink import SmtpSink

RULINGS = "бросок Анна o1: как заявлено\nбросок Flint o1: Затаиться, изворотливость\nбросок Вера o1: нет"


def ruled(stage: Stage, *before: str) -> str:
    """Begin a campaign: sheets, a scene, what is declared (turn 2), what is rolled (turn 3); turn 4 is open."""
    tag = campaign(stage)
    sailors.play(stage, tag, **{seat.replace("-", "_"): line for seat, line in SHEETS.items()})
    command(stage, tag, "открыть главу", "открыть сцену: губернатор", "капитан Анна Бурая")
    sailors.play(
        stage,
        tag,
        pirate_1="заявка: Угрожать насилием, дерзость — нож",
        pirate_2="move: Затаиться, cunning — in a barrel",
        pirate_3="заявка втайне: прячу карту",
    )
    for letter in before:
        stage.write(tag, MODERATOR, letter)
        poll(stage)
    sailors.play(stage, tag, moderator=RULINGS)
    return tag


def says(stage: Stage, tag: str, text: str) -> dict[str, Any]:
    """Let the moderator of a campaign write, and return the one line of the answer."""
    stage.write(tag, MODERATOR, text)
    poll(stage)
    (line,) = stage.notices("moderated", MASTER)[-1]["answers"]
    return dict(line)


def answers(stage: Stage, tag: str, word: str = "да") -> None:
    """Let the moderator of a campaign answer the last question he was asked."""
    stage.write(tag, MODERATOR, word, answers=stage.letters("confirm", MASTER)[-1][0].message_id)
    poll(stage)


def state_of(stage: Stage, tag: str) -> tuple[Any, ...]:
    """Return what no refusal and no preview may change."""
    kept = [event for event in stage.events(tag) if event["type"] not in ("look", "phrase", "order")]
    return stage.turn(tag).state, stage.turn(tag).deadline, kept


@dataclass(frozen=True, slots=True)
class Table:
    """A campaign that nothing changes any more."""

    stage: Stage
    tag: str


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Give a campaign at turn 4, for all tests that ask and change nothing."""
    folder = tmp_path_factory.mktemp("amend")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        yield Table(stage, ruled(stage))


# Refused, and looked at -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "turn"),
    [
        ("поправить 3 судья:\nбросок Вера o1: Смекнуть, дальновидность", "amend-dice", 3),
        ("поправить 2 pirate-2:\nбез хода", "amend-illegal", 3),
        ("поправить 2 pirate-3:\nзаявка: Смекнуть, дальновидность — счёт", "amend-owes", 3),
        ("поправить 3 зелёные:\nбез хода", "unknown-seat", None),
        ("поправить 4 pirate-1:\nбез хода", "amend-unresolved", 4),
        ("повторить 9", "not-resolved", 9),
        ("поправить pirate-1:\nбез хода", "name-the-turn", 3),
        ("поправить 3 судья:\nбросок Анна o1: как заявлено", "amend-nothing", None),
        ("поправить 2 Анну:\nзаявка o1: Угрожать насилием, дерзость — нож", "amend-nothing", None),
        ("поправить 3 pirate-1", "wants-orders", None),
        ("поправить 2 pirate-1:\nзаявка: Воспарить, дерзость — крылья\nготов", "amend-unread", None),
        ("поправить 2 pirate-1:\nпостоянный: помощь никому", "amend-lasting", None),
        ("поправить 1 pirate-1:\nбез хода", "amend-at-once", None),
    ],
)
def test_correction_that_is_not_to_be_had_says_why_and_changes_nothing(
    table: Table, text: str, key: str, turn: int | None
) -> None:
    before = state_of(table.stage, table.tag)
    line = says(table.stage, table.tag, text)

    assert (line["mark"], line["key"], line["facts"].get("turn")) == ("refused", key, turn)
    assert state_of(table.stage, table.tag) == before
    _, told = table.stage.letters("moderated", MASTER)[-1]
    assert isinstance(told, Notice)
    assert render(told).text


def test_refused_lines_are_shown_with_the_reason(table: Table) -> None:
    says(table.stage, table.tag, "поправить 2 pirate-1:\nзаявка: Затаиться, хитрость-мудрость — тень\nготов")

    text = render(table.stage.letters("moderated", MASTER)[-1][1]).text
    assert "«готов»" in text
    assert "за другого" in text


def test_preview_is_logged_as_a_look_before_it_is_shown_and_changes_nothing(table: Table) -> None:
    before = state_of(table.stage, table.tag)
    looks = len(table.stage.events(table.tag, "look"))
    line = says(table.stage, table.tag, "поправить 3 судья (описка):\nбросок Анна o1: Поладить, репутация")
    (preview,) = [value for _, value in table.stage.letters("preview", MASTER)][-1:]
    asked = render(table.stage.letters("confirm", MASTER)[-1][1]).text

    assert (line["mark"], line["facts"]) == ("asked", {"about": 3, "turns": [3], "titles": {}, "what": "amend"})
    assert [(one["what"], one["turn"]) for one in table.stage.events(table.tag, "look")[looks:]] == [("correction", 3)]
    assert state_of(table.stage, table.tag) == before
    assert isinstance(preview, Report)
    assert preview.pin is not None
    assert preview.pin.seq == table.stage.events(table.tag, "look")[-1]["seq"]
    assert "Поладить, репутация" in asked
    assert "репутация −1" in render(preview).text

    answers(table.stage, table.tag, "нет")
    assert state_of(table.stage, table.tag) == before


def test_act_for_of_a_resolved_turn_points_to_the_amendment(table: Table) -> None:
    line = says(table.stage, table.tag, "за pirate-1, ход 3: без хода")

    assert (line["mark"], line["key"]) == ("refused", "amend-instead")
    assert "поправить 3" in render(table.stage.letters("moderated", MASTER)[-1][1]).text


def test_turn_that_waits_for_an_answer_keeps_its_position(table: Table) -> None:
    def put(status: str) -> None:
        def change(work: Work) -> None:
            turn = positions.current(work, work.game(table.tag))
            assert turn is not None
            turn.status = status
            work.session.add(turn)

        table.stage.alter(change)

    put("asking")
    with table.stage.house.unit("test") as work:
        game = work.game(table.tag)
        verb = Verb(name="replay", line=0, last=0, turn=3)
        shown = amending.demand_named
        with pytest.raises(amending.RefusedByRules) as refused:
            shown(work, game, verb)
    put("open")

    assert refused.value.key == "amend-asking"


# Done -----------------------------------------------------------------------------------------------------------------


def test_corrected_ruling_moves_nobodys_dice_and_the_log_says_both(empty: Stage) -> None:
    tag = ruled(empty, "бросок Вера o1: Смекнуть, дальновидность")
    empty.write(tag, "pirate-1", "фарт +1 o1")
    poll(empty)
    empty.clock.move(empty.turn(tag).deadline - empty.clock.now() - timedelta(hours=1))
    soonest = empty.clock.now() + min_notice(timedelta(seconds=empty.turn(tag).period))
    says(empty, tag, "поправить 3 судья (не в его силах):\nбросок Анна o1: нет")
    answers(empty, tag)
    first, second = [event for event in empty.events(tag, "result") if event["turn"] == 3]

    assert second["dice"] == [die for die in first["dice"] if die[2].startswith("pirate-2/")]
    assert [one.seat for one in happened(empty, tag, 3) if isinstance(one, Rolled)] == ["pirate-2"]
    (replay,) = empty.events(tag, "replay")
    assert (replay["turn"], replay["replay"], replay["result"]) == (3, 1, first["seq"])
    assert (replay["reason"], list(replay["private"])) == ("не в его силах", [MODERATOR])
    assert empty.word(tag, "pirate-1") == "draft"
    assert [one["lines"] for one in empty.notices("read-again", ANNA)] == [["фарт +1 o1"]]
    assert empty.turn(tag).deadline == soonest
    with empty.house.look() as work:
        game = work.game(tag, lock=False)
        assert [(one.number, one.revision) for one in history.resolved(work, game)][-1] == (3, 1)
    report = sailors.checked(empty, tag)
    assert (report.faults, report.turns[-1].replay) == ((), 1)
    line = says(empty, tag, "поправить 3 судья:\nбросок Вера o1: Смекнуть, дальновидность")
    assert (line["mark"], line["key"]) == ("refused", "amend-dice")
    finish(empty, tag)
    report = sailors.checked(empty, tag)
    assert (report.faults, report.sealed, {one.verdict for one in report.turns}) == ((), (), {"replayed"})


def test_only_those_hear_of_a_correction_whom_it_touches(empty: Stage) -> None:
    tag = ruled(empty)
    before = len(empty.letters("report"))
    says(empty, tag, "поправить 2 pirate-3:\nзаявка втайне o1: прячу сундук")
    answers(empty, tag)
    told = [(row.address, value.turn) for row, value in empty.letters("report")[before:] if isinstance(value, Report)]

    assert told == [(VERA, 2), (MASTER, 2)]
    text = render(empty.letters("report", VERA)[-1][1]).text
    assert "    заявка втайне o1: прячу сундук" in text
    assert text.startswith("# Ход 2 (исправленный, 1)")
    assert [event["turn"] for event in empty.events(tag, "replay")] == [2, 3]
    assert "сундук" not in str(empty.events(tag, "replay"))


def test_line_that_stood_in_a_mail_before_the_lock_may_throw_its_dice(empty: Stage) -> None:
    tag = ruled(empty, "бросок Вера o1: Смекнуть, дальновидность")
    before = throws(empty, tag, 3)
    assert says(empty, tag, "поправить 3 судья:\nбросок Вера o1: Смекнуть, дерзость")["key"] == "amend-dice"
    assert says(empty, tag, "поправить 3 судья:\nбросок Вера o1: Смекнуть, дальновидность")["mark"] == "asked"
    answers(empty, tag)
    after = throws(empty, tag, 3)

    assert after[: len(before)] == before
    assert [throw.address for throw in after[len(before) :]] == ["pirate-3/o1/main/0", "pirate-3/o1/main/1"]
    says(empty, tag, "поправить 3 судья:\nбросок Вера o1: нет")
    answers(empty, tag)
    assert says(empty, tag, "поправить 3 судья:\nбросок Вера o1: Смекнуть, дальновидность")["mark"] == "asked"
    assert sailors.checked(empty, tag).faults == ()


def throws(stage: Stage, tag: str, number: int) -> tuple[Throw, ...]:
    with stage.house.look() as work:
        return history.throws_of(work, stage.turn(tag, number))


def test_correction_goes_forward_over_a_command_done_at_once(empty: Stage) -> None:
    tag = ruled(empty)
    command(empty, tag, "деньги Flint +3 дублона")
    assert (empty.turn(tag, 4).phase, empty.turn(tag).number) == ("at-once", 5)
    says(empty, tag, "поправить 3 судья:\nбросок Анна o1: Поладить, репутация")
    answers(empty, tag)

    assert [(event["turn"], event.get("replay", 0)) for event in empty.events(tag, "result")][-2:] == [(3, 1), (4, 1)]
    assert next(one.purse for one in sailors.state(empty, tag).pirates if one.seat == "pirate-2") == 15
    says(empty, tag, "поправить 4 судья:\nзаново\nденьги Flint +1 дублон")
    answers(empty, tag)

    assert next(one.purse for one in sailors.state(empty, tag).pirates if one.seat == "pirate-2") == 5
    finish(empty, tag)
    report = sailors.checked(empty, tag)
    assert (report.faults, report.sealed, {one.verdict for one in report.turns}) == ((), (), {"replayed"})
    last = render(empty.letters("report", ANNA)[-1][1]).text
    assert "Посчитано заново, с теми же костями: 3 хода (3, 4, 4)." in last


# Later turns ----------------------------------------------------------------------------------------------------------


def play(stage: Stage, tag: str, *, spain: str = SPAIN_ORDERS, pirates: str = PIRATES_ORDERS) -> None:
    """Let both write, and lock and resolve the open turn."""
    stage.write(tag, SPAIN, spain)
    stage.write(tag, PIRATES, pirates)
    stage.settle()
    stage.clock.move(MINUTE)
    with stage.house.unit("test") as work:
        turns.process(work, work.game(tag), stage.turn(tag).number)
    stage.later(MINUTE)


def results(stage: Stage, tag: str, turn: int) -> list[dict[str, Any]]:
    return [event for event in stage.events(tag, "result") if event["turn"] == turn]


def test_correction_goes_forward_over_a_later_turn(both: Stage) -> None:
    tag = judged(both)
    play(both, tag)
    play(both, tag)
    assert done(both, tag, f"поправить 1 {SPAIN} (строка пропала):\nкорабль 1: курс СВ 2\n") == [("asked", "asked")]
    assert [value.turn for _, value in both.letters("preview") if isinstance(value, Report)] == [1, 2]
    confirm(both, tag)

    for turn in (1, 2):
        first, second = results(both, tag, turn)
        assert (second["replay"], second["dice"]) == (1, first["dice"])
    assert "ship-moved" in [event["type"] for event in results(both, tag, 1)[1]["events"]]
    told = [value.turn for _, value in both.letters("report", BORIS) if isinstance(value, Report) and value.revision]
    assert told == [1, 2]
    posts = [value for _, value in both.letters("public", VERA) if isinstance(value, Report) and value.revision]
    assert [(one.turn, bool(one.forum)) for one in posts] == [(1, True), (2, True)]
    with both.house.unit("test") as work:
        ending.finish(work, positions.table(work.game(tag)), "finish")
    assert {one.verdict for one in checked(both, tag).turns} == {"replayed"}


def test_turn_that_is_locked_and_waits_for_a_dispute_gets_the_new_position(place: Stage) -> None:
    tag = judged(place)
    play(place, tag)
    place.say(tag, SPAIN, "спор ход 1: мой приказ пропал\n")
    play(place, tag)
    assert (place.turn(tag).number, place.turn(tag).status) == (2, "locked")
    assert done(place, tag, f"поправить 1 {SPAIN} (он прав):\nкорабль 1: курс СВ 2\n") == [("asked", "asked")]
    confirm(place, tag)
    place.settle()

    assert place.turn(tag, 2).status == "resolved"
    assert [event["state"] for event in place.events(tag, "dispute")] == ["open", "replay"]
    assert [one["outcome"] for one in place.notices("dispute-settled", BORIS)] == ["replay"]
    with place.house.look() as work:
        assert disputes.open_disputes(work, work.game(tag, lock=False)) == []
    last = [value for _, value in place.letters("report", BORIS) if isinstance(value, Report)][-1]
    assert [(one["kind"], one["turn"]) for one in last.corrections] == [("replay", 1), ("dispute-replay", 1)]
    assert "он прав" in render(last).text
    assert checked(place, tag).faults == ()


def test_turn_is_resolved_again_with_its_own_orders_and_then_corrected(place: Stage) -> None:
    tag = judged(place)
    play(place, tag)
    assert done(place, tag, "повторить 1: программа ошиблась\n") == [("asked", "asked")]
    confirm(place, tag)
    assert done(place, tag, f"amend 1 {SPAIN}:\nship 1: course NE 2\n") == [("asked", "asked")]
    confirm(place, tag)

    same = ("dice", "events", "batches", "seeds")
    first, second, third = results(place, tag, 1)
    assert [second[name] for name in same] == [first[name] for name in same]
    assert (second["replay"], third["replay"], third["dice"]) == (1, 2, first["dice"])
    assert [event.get("private") is not None for event in place.events(tag, "replay")] == [False, True]
    assert checked(place, tag).faults == ()


def test_secret_that_is_corrected_stays_one_until_its_hour(place: Stage) -> None:
    tag = judged(place)
    done(place, tag, f"поправить 0 {SPAIN} (так он писал):\nзолото: галион 2\n")
    confirm(place, tag)
    told = [row.address for row, value in place.letters("report") if isinstance(value, Report) and value.revision]

    assert [list(event["private"]) for event in place.events(tag, "replay")] == [["gold"]]
    assert told == [ANNA]
    assert [one.verdict for one in checked(place, tag).turns] == ["replayed", "dice checked", "dice checked"]
    assert checked(place, tag, SPAIN).turns[-1].verdict == "replayed"
    with place.house.unit("test") as work:
        ending.finish(work, positions.table(work.game(tag)), "finish")
    assert {one.verdict for one in checked(place, tag).turns} == {"replayed"}


def test_answers_given_in_mid_turn_count_when_it_is_resolved_again(empty: Stage) -> None:
    with installed():
        tag = smuggling.asking_game(empty)
        empty.say(tag, smuggling.FIRST, "ответ: 1")
        smuggling.close_group(empty, tag)
        for _ in range(2):
            with empty.house.unit("test") as work:
                amending.amend(work, work.game(tag), By("operator", "why"), Verb(name="replay", line=0, last=0, turn=1))
        first, second, third = results(empty, tag, 1)

        assert (first["batches"], first["events"]) == (third["batches"], third["events"])
        assert second["dice"] == third["dice"] == first["dice"]
        report = smuggling.checked(empty, tag)
        assert (report.faults, {one.verdict for one in report.turns}) == ((), {"replayed"})


def test_case_file_and_archive_tell_the_turn_as_corrected(place: Stage) -> None:
    tag = judged(place)
    play(place, tag)
    done(place, tag, f"поправить 1 {SPAIN} (он прав):\nкорабль 1: курс СВ 2\n")
    confirm(place, tag)
    with place.house.unit("test") as work:
        ending.finish(work, positions.table(work.game(tag)), "finish")
    with place.house.look() as work:
        game = work.game(tag, lock=False)
        reader = Reader(name="", language="ru", zone="UTC")
        case = casefile.gather(work, game, 1, reader, MODERATOR)
        pages = archive.pages(work, game)

    orders = {one.seat: dict(one.orders or ()) for one in case.orders}
    assert {line: origin for line, origin in orders[SPAIN].items() if "СВ 2" in line} == {
        "«Сан-Фелипе»: курс СВ 2": "moderator"
    }
    assert case.verdict == "replayed"
    assert "СВ 2" in pages["turn-1.html"].decode()
    assert "исправленный, 1" in pages["turn-1.html"].decode()


def test_confirmation_of_what_was_corrected_meanwhile_does_nothing(place: Stage) -> None:
    tag = judged(place)
    play(place, tag)
    done(place, tag, f"поправить 1 {SPAIN}:\nкорабль 1: курс СВ 2\n")
    asked = place.letters("confirm")[-1][0].message_id
    done(place, tag, "повторить 1\n")
    confirm(place, tag)
    order(place, tag, "да\n", answers=asked)
    place.settle()

    assert len(place.events(tag, "replay")) == 1
    assert [one["why"] for one in place.notices("confirmed-refused")] == ["amend-moved"]


def test_correction_is_one_transaction(place: Stage) -> None:
    tag = judged(place)
    play(place, tag)
    before = state_of(place, tag)
    verb = Verb(name="amend", line=0, last=0, turn=1, seat=SPAIN, text=("корабль 1: курс СВ 2",))

    def die() -> None:
        with place.house.unit("test") as work:
            amending.amend(work, work.game(tag), By("moderator"), verb)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        die()

    assert state_of(place, tag) == before
    assert place.turn(tag, 1).revision == 0


# Who may --------------------------------------------------------------------------------------------------------------


def test_moderator_who_plays_needs_another_players_yes_and_is_shown_nothing(place: Stage) -> None:
    tag = judged(place, header=Header(moderator="plays"), judge=ANNA)
    play(place, tag)
    assert done(place, tag, f"поправить 1 {SPAIN}:\nкорабль 1: курс СВ 2\n") == [("proposed", "proposed")]
    assert (place.letters("preview"), place.events(tag, "look"), place.events(tag, "replay")) == ([], [], [])
    ((proposal, _),) = place.letters("proposal", BORIS)
    place.write(tag, PIRATES, "голос да\n", answers=proposal.message_id)
    place.settle()

    assert [event.get("by", "moderator") for event in place.events(tag, "replay")] == ["moderator"]
    assert len(results(place, tag, 1)) == 2


def test_where_there_is_no_moderator_all_must_agree(place: Stage) -> None:
    tag = place.game(header=Header(moderator="none"))
    for seat, orders in ((SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS)):
        place.write(tag, seat, f"{orders}готов\n")
    place.later(timedelta(hours=1))
    receipt = place.say(tag, SPAIN, f"корабль 2: стоять\nпоправить 1 {SPAIN}:\nкорабль 1: курс СВ 2\n")
    assert [(line.mark, line.key) for line in receipt.lines] == [("ok", ""), ("command", "proposed")]
    assert place.in_force(tag, SPAIN) == ("«Санта-Мария»: стоять",)
    ((proposal, _),) = place.letters("proposal", BORIS)
    place.write(tag, PIRATES, "голос да\n", answers=proposal.message_id)
    place.settle()

    assert [event["by"] for event in place.events(tag, "replay")] == ["players"]
