"""«Поднять паруса!» by mail: a campaign of three chapters with its moderator, and his commands at once (page 1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from sqlmodel import select

from adjudicator.beacon import Relays
from adjudicator.letters import Receipt, Report
from adjudicator.services import resolving
from adjudicator.services.render import render
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address
from engine.core.contract import MODERATOR, Resolution, kebab
from engine.set_sail.commands import Ruling, TakePart, UndoEffect
from engine.set_sail.events import ChanceSpent, EffectApplied, MoneyMoved, Rolled, Said, WoundTaken
from engine.set_sail.state import SetSailState
from tests.adjudicator.services.islanders import poll
from tests.adjudicator.services.sailors import (
    COMMANDS,
    DONE,
    MASTER,
    SET_SAIL,
    SHEETS,
    UNSEEN,
    campaign,
    checked,
    command,
    finish,
    happened,
    idle,
    play,
    state,
)
from tests.adjudicator.services.stage import ANNA, BORIS, HOUR, MINUTE, OPERATOR, VERA, Stage, maildir_stage
from tests.servers.relay import relay
from tests.servers.smtp_sink import SmtpSink

WIDEST = 76
AS_SENT = "    "
"""Before lines that show an order as it would be sent: they are not broken."""
OPENING = (
    "открыть главу",
    "открыть сцену: губернатор",
    "капитан Анна Бурая",
    "тайна: у губернатора есть брат",
    "угроза губернатор",
    "корабль: имя Чёрная Каракатица; навигация 2; боевая мощь 1; водоизмещение 1; корпус 4",
    "деньги казна +2 сундука",
)
RULINGS = """рассказ: Луна зашла.
бросок Анна o1: как заявлено
бросок Flint o1: Затаиться, изворотливость
бросок Вера o1: нет"""


@dataclass(frozen=True, slots=True)
class Voyage:
    """A campaign that has been played, and what was seen on the way."""

    stage: Stage
    tag: str
    deadlines: tuple[str, ...]
    words: tuple[str, ...]
    last: SetSailState


@pytest.fixture(scope="module")
def voyage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Voyage]:
    """Play three chapters by mail, once for all tests that look back on them."""
    folder = tmp_path_factory.mktemp("voyage")
    with SmtpSink() as sink, maildir_stage(f"sqlite:///{folder / 'service.db'}", sink, folder) as stage:
        tag = begun(stage)
        first_chapter(stage, tag)
        deadlines = second_chapter(stage, tag)
        words = third_chapter(stage, tag)
        last = state(stage, tag)
        finish(stage, tag)
        yield Voyage(stage, tag, deadlines, words, last)


def begun(stage: Stage, opening: tuple[str, ...] = OPENING) -> str:
    """Turns 0 and 1: the sheets, and the moderator's commands, which open the first chapter at once."""
    tag = campaign(stage)
    play(stage, tag, **{seat.replace("-", "_"): line for seat, line in SHEETS.items()})
    if opening:
        command(stage, tag, *opening)
    return tag


def first_chapter(stage: Stage, tag: str) -> None:
    """Turns 2 to 5: declared, one of them in secret and one corrected; ruled; helped, once resolved again; a trade."""
    stage.write(tag, "pirate-2", "move: Смекнуть, foresight — count the guards")
    play(
        stage,
        tag,
        pirate_1="Ночь, порт.\n— Тихо! — шепчет Анна.\nзаявка: Угрожать насилием, дерзость — нож",
        pirate_2="move o1: Затаиться, cunning — in a barrel\nstanding: if changes band: luck +1",
        pirate_3="заявка втайне: прячу карту\nпостоянный: помощь никому\nпостоянный: урон рана",
    )
    stage.write(tag, MODERATOR, "бросок Анна o1: Поладить, репутация")
    play(stage, tag, moderator=RULINGS)
    play(
        stage,
        tag,
        pirate_1="не вмешиваюсь: Анна o1\nбез хода",
        pirate_2="do nothing\nhelp Анна o1: I hold the door",
        pirate_3="заявка: Смекнуть, дальновидность — считаю стражу",
    )
    amend(stage, tag, "поправить 4 pirate-1 (цифру прочёл неверно):\nфарт +1")
    play(stage, tag, moderator="бросок Вера o1: Смекнуть, дальновидность\nобмен Анна o1\nитог Flint o1: ничего")


def amend(stage: Stage, tag: str, text: str) -> None:
    """Let the moderator correct a turn, and confirm it; the numbers of his letters shift no automatic phrase."""
    later, stage.numbers = stage.numbers, iter((9_001, 9_002))
    stage.write(tag, MODERATOR, text)
    poll(stage)
    stage.write(tag, MODERATOR, "да", answers=stage.letters("confirm")[-1][0].message_id)
    poll(stage)
    stage.numbers = later


def second_chapter(stage: Stage, tag: str) -> tuple[str, ...]:
    """Turns 6 to 10: a trade refused, a scheme with a helper, a wound at once while orders lie there."""
    play(
        stage,
        tag,
        pirate_1="обмен нет\nзаявка: Поладить, репутация — улыбаюсь страже\nне вмешиваюсь: Вера o1",
        pirate_2="take part",
        pirate_3="не вмешиваюсь: Вера o1\nкозни: цель выкрасть брата; тайны 1",
    )
    play(stage, tag, moderator="бросок Анна o2: как заявлено\nитог Вера o1: фарт Вера +1\nбросок Вера o2: тайны 1")
    stage.write(tag, "pirate-1", idle("Анна o2", "Вера o2"))
    poll(stage)
    before = stage.turn(tag)
    stage.clock.move(HOUR)
    command(stage, tag, "урон Flint 1", "деньги Flint +3 дублона")
    after = stage.turn(tag)
    play(stage, tag, pirate_2="damage: wound 1\n" + idle("Анна o2", "Вера o2"), pirate_3=idle("Анна o2", "Вера o2"))
    command(stage, tag, "сейчас ход 10: закрыть главу", "открыть главу", "открыть сцену: губернатор", "конец приказов")
    play(stage, tag, moderator="итог Анна o2: ничего\nитог Вера o2: ничего")
    return str(before.deadline), str(after.deadline)


def third_chapter(stage: Stage, tag: str) -> tuple[str, ...]:
    """Turns 12 on: three rounds of talks, for which standing words speak and nobody has to write."""
    command(stage, tag, "закрыть главу", "открыть главу", "переговоры: Анна — губернатор; угроза")
    lasting = "постоянный: без хода\nпостоянный: фарт никогда\nпостоянный: помощь никому"
    stage.write(
        tag, "pirate-1", f"{lasting}\nпостоянный: ставки слава, кошелёк, жизнь\nпостоянный: если счёт 0:2: дальше"
    )
    stage.write(tag, "pirate-2", lasting)
    stage.write(tag, "pirate-3", lasting)
    poll(stage)
    words = []
    for _ in range(3):
        words += [stage.word(tag, seat) for seat in SHEETS]
        play(stage, tag)
    return tuple(words)


# The campaign looked back on ------------------------------------------------------------------------------------------


def test_every_turn_of_the_campaign_is_replayed_from_its_log(voyage: Voyage) -> None:
    report = checked(voyage.stage, voyage.tag)

    assert (report.faults, report.sealed, {one.verdict for one in report.turns}) == ((), (), {"replayed"})


def test_no_line_of_the_campaign_was_refused(voyage: Voyage) -> None:
    receipts = [value for _, value in voyage.stage.letters("receipt")]
    lines = [line for one in receipts if isinstance(one, Receipt) for line in one.lines]

    assert [line.text for line in lines if line.mark not in ("ok", "command")] == []


@pytest.mark.parametrize("kind", ["report", "receipt", "public", "moderated"])
def test_letters_of_the_campaign_can_be_written(voyage: Voyage, kind: str) -> None:
    letters = voyage.stage.letters(kind)
    letters = letters[::3] if kind == "report" else letters  # four readers: each turn has one, each reader his turns

    lines = [line for _, one in letters for line in render(one).text.splitlines()]
    assert letters
    assert [line for line in lines if len(line) > WIDEST and not line.startswith(AS_SENT)] == []


def test_moderator_reads_what_he_is_asked_in_his_own_report(voyage: Voyage) -> None:
    reports = [value for _, value in voyage.stage.letters("report", MASTER) if isinstance(value, Report)]
    told = render(next(one for one in reports if one.next_turn == 3)).text

    assert "прячу карту" in told
    assert "бросок Анна Бурая o1" in told


def test_chapters_were_opened_and_talks_are_over(voyage: Voyage) -> None:
    assert (voyage.last.chapter, voyage.last.talks) == (4, ())


def test_what_pirates_say_and_the_moderator_tells_is_told_in_the_story(voyage: Voyage) -> None:
    said = [event for event in happened(voyage.stage, voyage.tag, 2) if isinstance(event, Said)]

    assert [(one.seat, one.text) for one in said] == [
        ("pirate-1", "— Тихо! — шепчет Анна."),
    ]
    assert [one.text for one in happened(voyage.stage, voyage.tag, 3) if isinstance(one, Said)] == ["Луна зашла."]


def test_hidden_declaration_reaches_its_writer_and_the_moderator_alone(voyage: Voyage) -> None:
    def told(address: str) -> bool:
        reports = [value for _, value in voyage.stage.letters("report", address) if isinstance(value, Report)]
        return any("прячу карту" in f"{one.view}{one.events}" for one in reports)

    assert [told(address) for address in (ANNA, BORIS, VERA, MASTER)] == [False, False, True, True]


def test_moderator_is_told_of_every_turn_and_asked_like_a_seat(voyage: Voyage) -> None:
    reports = [value for _, value in voyage.stage.letters("report", MASTER) if isinstance(value, Report)]
    ruling = next(one for one in reports if one.next_turn == 3)

    assert [one.turn for one in reports[:4]] == [-1, 0, 1, 2]
    assert [slot["key"] for slot in ruling.asked if not slot.get("optional")] == [
        "pirate-1/o1/ruling",
        "pirate-2/o1/ruling",
        "pirate-3/o1/ruling",
    ]
    assert ruling.template


def test_dice_fall_when_the_ruling_locks_by_what_was_ruled_last(voyage: Voyage) -> None:
    rolled = [event for event in happened(voyage.stage, voyage.tag, 3) if isinstance(event, Rolled)]

    assert [(one.seat, one.stat) for one in rolled] == [("pirate-1", "der"), ("pirate-2", "izv")]


def test_corrected_ruling_throws_the_same_dice(voyage: Voyage) -> None:
    turn = voyage.stage.turn(voyage.tag, 3)
    with voyage.stage.house.look() as work:
        first, second = resolving.load(work, turn.id or 0), resolving.load(work, turn.id or 0)
    sheet = second.sheets[MODERATOR]
    other = Ruling(roll="pirate-1/o1", move="poladit", stat="rep")
    second.sheets[MODERATOR] = tuple(other if order.slot == other.slot else order for order in sheet)
    came, again = first.resolve(), second.resolve()

    assert isinstance(came, Resolution)
    assert isinstance(again, Resolution)
    assert second.dice.throws == first.dice.throws
    assert [one.total for one in again.events if isinstance(one, Rolled)][1:] == [
        one.total for one in came.events if isinstance(one, Rolled)
    ][1:]


def test_corrected_order_of_a_resolved_turn_changes_its_sheet_and_moves_nobodys_dice(voyage: Voyage) -> None:
    first, second = [event for event in voyage.stage.events(voyage.tag, "result") if event["turn"] == 4]
    corrected = {event["type"]: event for event in second["events"]}
    with voyage.stage.house.look() as work:
        turn = voyage.stage.turn(voyage.tag, 5)
        after = work.vault.open_value(turn.state, SetSailState)

    assert (second["replay"], second["batches"], second["seeds"]) == (1, first["batches"], first["seeds"])
    assert second["dice"] == first["dice"]
    assert second["events"] != first["events"]
    assert corrected
    assert {one.seat: one.luck for one in after.pirates} == {"pirate-1": 2, "pirate-2": 2, "pirate-3": 3}


def test_wound_and_money_come_at_once_while_orders_lie_there(voyage: Voyage) -> None:
    stage, tag = voyage.stage, voyage.tag
    locks = [event for event in stage.events(tag, "lock") if event.get("at_once")]

    assert [event["turn"] for event in locks] == [1, 8, 10, 12]
    assert stage.turn(tag, 8).phase == "at-once"
    assert [one.n for one in happened(stage, tag, 8) if isinstance(one, MoneyMoved)] == [15]
    assert [one.seat for one in happened(stage, tag, 9) if isinstance(one, WoundTaken)] == ["pirate-2"]
    assert voyage.deadlines[0] == voyage.deadlines[1]
    assert next(one.purse for one in voyage.last.pirates if one.seat == "pirate-2") == 15


def test_standing_words_speak_so_that_nobody_is_waited_for(voyage: Voyage) -> None:
    assert set(voyage.words) == {"orders in"}


# Commands at once -----------------------------------------------------------------------------------------------------


def test_letter_that_answers_an_earlier_report_counts_for_the_turn_that_goes_on(empty: Stage) -> None:
    tag = begun(empty)
    opening = empty.letters("report", ANNA)[-1][0].message_id
    command(empty, tag, "деньги казна +1 сундук")
    receipt = empty.say(tag, "pirate-1", "ход 2\nзаявка: лезу на мачту", answers=opening)

    assert (receipt.turn, receipt.word, receipt.late) == (3, "orders in", None)
    assert empty.in_force(tag, "pirate-1") == ("заявка o1: лезу на мачту",)


def test_orders_that_no_longer_read_are_dropped_and_their_writer_is_told(empty: Stage) -> None:
    tag = begun(empty)
    empty.write(tag, "pirate-3", "козни: цель выкрасть брата; тайны 1")
    poll(empty)
    command(empty, tag, "вычеркнуть тайну 1")

    assert empty.word(tag, "pirate-3") == "draft"
    told = empty.notices("read-again", VERA)
    assert [(one["turn"], one["lines"]) for one in told] == [(3, ["козни o1: цель выкрасть брата; тайны 1"])]


def test_ready_seat_that_a_command_asks_something_is_waited_for(empty: Stage) -> None:
    tag = begun(empty)
    empty.write(tag, "pirate-2", "do nothing\nready")
    poll(empty)
    assert empty.word(tag, "pirate-2") == "ready"
    command(empty, tag, "урон Flint 1")

    assert empty.word(tag, "pirate-2") == "draft"


def test_line_that_is_no_command_lets_nothing_be_done_at_once(empty: Stage) -> None:
    tag = begun(empty)
    number = empty.turn(tag).number
    empty.write(tag, MODERATOR, f"сейчас ход {number}: урон Flint 1\nурон Никому 2\nконец приказов")
    poll(empty)

    [answer] = empty.notices("moderated")
    assert [(one["mark"], one["key"]) for one in answer["answers"]] == [("refused", "no-commands-read")]
    assert empty.turn(tag).number == number


@pytest.mark.parametrize("language", [0, 1], ids=["ru", "en"])
def test_every_command_is_done_logged_shown_to_whom_it_touches_and_taken_back(empty: Stage, language: int) -> None:
    tag = begun(empty, opening=OPENING[5:6])
    number, sent = empty.turn(tag).number, len(empty.letters("report"))
    command(empty, tag, *(line[language] for line in COMMANDS))
    came = happened(empty, tag, number)
    paid = next(one for one in came if isinstance(one, EffectApplied) and one.effect.startswith("money"))
    [result] = [event for event in empty.events(tag, "result") if event["turn"] == number]
    told = [render(one).text for _, one in empty.letters("report")[sent:]]

    assert [kebab(type(one).__name__) for one in came] == DONE
    assert [event["type"] for event in result["events"]] == [kind for kind in DONE if kind not in UNSEEN]
    assert ["брат" in text or "brother" in text for text in told] == [True, True, True, True]
    assert ["буря" in text or "storm" in text for text in told] == [False, False, False, True]
    assert not any("брат" in str(one) or "brother" in str(one) for one in result["events"])
    assert (state(empty, tag).treasury, state(empty, tag).clocks[0].n) == (50, 5)
    changes = tuple((one.place, one.field, one.before, one.after) for one in paid.changes)
    command(empty, tag, SET_SAIL.write(UndoEffect(number=1, effect=paid.effect, changes=changes), "ru"))
    assert state(empty, tag).treasury == 0


def test_letter_of_the_moderator_that_reads_as_nothing_is_answered_with_lines_of_this_position(empty: Stage) -> None:
    tag = begun(empty, opening=())
    command(empty, tag, "откройте, пожалуйста, новую сцену у губернатора")
    command(empty, tag, "обмен Анна o1")

    [answer] = empty.notices("moderator-help")
    assert "открыть сцену" in answer["examples"]
    [refused] = [value for _, value in empty.letters("receipt", MASTER) if isinstance(value, Receipt)]
    assert [line.complaint.key for line in refused.lines if line.complaint] == ["nothing-to-rule"]


# Fair dice ------------------------------------------------------------------------------------------------------------


def test_dice_are_by_beacon_where_the_moderator_holds_the_machine(empty: Stage) -> None:
    with relay() as drand:
        object.__setattr__(empty.desk, "beacon", Relays((drand.address,)).value)
        tag = campaign(empty, host=OPERATOR)
        empty.later(2 * MINUTE)
        assert empty.events(tag, "genesis")[0]["mode"] == "beacon"
        command(empty, tag, "открыть сцену")
        waits = empty.turn(tag, 0).status
        empty.write(tag, "pirate-1", SHEETS["pirate-1"])
        command(empty, tag, "открыть главу")
        meanwhile = empty.turn(tag, 0).status
        empty.later(2 * MINUTE)
        empty.later(2 * MINUTE)

    assert (waits, meanwhile) == ("locked", "locked")
    assert [(empty.turn(tag, n).phase, empty.turn(tag, n).status) for n in (0, 1)] == [("at-once", "resolved")] * 2
    assert len(empty.in_force(tag, "pirate-1")) == 1
    assert checked(empty, tag).faults == ()


def test_dice_are_of_the_players_words_where_the_moderator_is_anybody(empty: Stage) -> None:
    tag = campaign(empty)

    assert empty.events(tag, "genesis")[0]["mode"] == "salts"


def test_campaign_with_dice_of_the_players_words_is_not_handed_over_to_who_holds_the_machine(empty: Stage) -> None:
    tag = campaign(empty)
    empty.write(tag, MODERATOR, f"передать {OPERATOR}\nпередать next@example.org")
    poll(empty)

    [answer] = empty.notices("moderated")
    assert [(one["mark"], one["key"]) for one in answer["answers"]] == [
        ("refused", "operator-by-salts"),
        ("asked", "asked"),
    ]


def test_new_moderator_is_told_what_he_owes_and_may_have_his_report_again(empty: Stage) -> None:
    tag = begun(empty)
    play(empty, tag, pirate_1="заявка втайне: прячу карту", pirate_2="do nothing", pirate_3="без хода")
    public = len(empty.letters("public"))
    empty.write(tag, MODERATOR, "передать next@example.org")
    poll(empty)
    empty.write(tag, MODERATOR, "да", answers=empty.letters("confirm", MASTER)[-1][0].message_id)
    poll(empty)
    letter, value = empty.letters("invitation", "next@example.org")[-1]
    answer = empty.message("next@example.org", "вступаю", to=value.reader.reply_to, answers=letter.message_id)
    empty.deliver(answer)
    poll(empty)
    [(_, report)] = empty.letters("report", "next@example.org")
    empty.write(tag, MODERATOR, "отчёт")
    poll(empty)

    assert isinstance(report, Report)
    assert [slot["key"] for slot in report.asked if not slot.get("optional")] == ["pirate-1/o1/ruling"]
    assert "прячу карту" in render(report).text
    assert [one for _, one in empty.letters("report-again", "next@example.org")] == [report]
    assert len(empty.letters("public")) == public


def test_phrases_go_on_with_the_orders_until_another_comes(empty: Stage) -> None:
    tag = begun(empty)
    empty.write(tag, "pirate-1", "соль: семь футов\nбез хода")
    command(empty, tag, "деньги казна +1 сундук")
    empty.write(tag, "pirate-1", "соль: восемь футов")
    play(empty, tag)

    phrases = {
        event["turn"]: event.get("phrases", {}).get("pirate-1") for event in empty.events(tag, "lock") if event["turn"]
    }
    assert (phrases[2], phrases[3]) == ("семь футов", "восемь футов")
    assert checked(empty, tag).faults == ()


def test_command_sent_while_the_clock_stands_still_is_done_when_it_goes_on(empty: Stage) -> None:
    tag = begun(empty)
    number = empty.turn(tag).number
    command(empty, tag, f"пауза {number}")
    command(empty, tag, "деньги казна +1 дублон")
    waits = (empty.turn(tag).number, state(empty, tag).treasury)
    command(empty, tag, f"продолжить {number}")

    assert waits == (number, 100)
    assert (empty.turn(tag).number, state(empty, tag).treasury) == (number + 1, 105)
    assert empty.in_force(tag, MODERATOR) == ()


def test_household_is_asked_for_which_pirate_it_writes_and_names_them_as_they_are_called(empty: Stage) -> None:
    def share(work: Work) -> None:
        address = work.session.exec(select(Address).where(Address.address == VERA)).one()
        address.address = ANNA
        work.session.add(address)

    tag = campaign(empty)
    empty.alter(share)
    play(empty, tag, **{seat.replace("-", "_"): line for seat, line in SHEETS.items()})
    answered = empty.letters("report", ANNA)[-1][0].message_id
    empty.deliver(empty.message(ANNA, "заявка: лезу на мачту\nместо Флинт\nбез хода", answers=answered))
    poll(empty)
    empty.deliver(empty.message(ANNA, "место Вера\nзаявка: лезу на мачту", answers=answered))
    poll(empty)

    [asked] = empty.notices("which-seat")
    assert asked["seats"] == [{"en": "Вера Кок", "ru": "Вера Кок"}]
    assert empty.in_force(tag, "pirate-3") == ("заявка o1: лезу на мачту",)
    assert empty.in_force(tag, "pirate-1") == ()


# Chances --------------------------------------------------------------------------------------------------------------


def test_chances_of_a_ruling_are_spent_before_the_dice_fall_and_cancel(empty: Stage) -> None:
    tag = begun(empty)
    command(empty, tag, "шансы команде +2", "шансы ведущему +1")
    play(
        empty,
        tag,
        pirate_1="заявка: дерзость, шанс — лезу",
        pirate_2="move: cunning, chance — I hide",
        pirate_3="заявка: репутация — говорю",
    )
    play(empty, tag, moderator="бросок Анна o1: как заявлено\nбросок Flint o1: изворотливость, шанс, шанс ведущего")
    rolled = [one for one in happened(empty, tag, 4) if isinstance(one, Rolled)]
    spent = [one.side for one in happened(empty, tag, 4) if isinstance(one, ChanceSpent)]

    assert [(one.seat, len(one.faces)) for one in rolled] == [("pirate-1", 3), ("pirate-2", 2), ("pirate-3", 2)]
    assert spent == ["crew", "crew", "gm"]
    assert [(one.crew, one.gm) for one in state(empty, tag).plans] == [(0, 0)]


# A scheme -------------------------------------------------------------------------------------------------------------


def test_helpers_of_a_scheme_come_in_the_order_of_their_mails(empty: Stage) -> None:
    tag = begun(empty)
    empty.write(tag, "pirate-2", "козни: цель выкрасть брата; тайны 1")
    empty.write(tag, "pirate-3", "участвую", arrival=empty.clock.now() + MINUTE)
    empty.write(tag, "pirate-1", "участвую", arrival=empty.clock.now() + 2 * MINUTE)
    empty.write(tag, "pirate-3", "участвую", arrival=empty.clock.now() + 3 * MINUTE)
    empty.clock.move(HOUR)
    play(empty, tag)
    with empty.house.look() as work:
        sheets = resolving.load(work, empty.turn(tag, 2).id or 0).sheets

    assert {seat: one.arrival for seat, sheet in sheets.items() for one in sheet if isinstance(one, TakePart)} == {
        "pirate-1": 2,
        "pirate-3": 1,
    }


# Numbers of declarations (fair-play 3.5) ------------------------------------------------------------------------------


def test_no_declaration_of_a_turn_has_the_number_of_an_earlier_one(empty: Stage) -> None:
    tag = begun(empty)

    def after(text: str) -> tuple[str, ...]:
        empty.clock.move(MINUTE)
        empty.write(tag, "pirate-1", text)
        poll(empty)
        return empty.in_force(tag, "pirate-1")

    assert after("козни: цель выкрасть брата; тайны 7") == ()
    [receipt] = [one for _, one in empty.letters("receipt", ANNA)[-1:] if isinstance(one, Receipt)]
    assert "номер o1 остаётся за этой заявкой" in " ".join(render(receipt).text.split())

    assert after("заявка: лезу на мачту") == ("заявка o2: лезу на мачту",)
    assert after("ещё заявка: жду") == ("заявка o2: лезу на мачту", "заявка o3: жду")
    assert after("отмена\nзаявка: пою") == ("заявка o4: пою",)
    assert after("без хода\nзаявка: сплю") == ("заявка o5: сплю",)
    assert after(f"вернуть {receipt.number + 1}\nзаявка: бегу") == ("заявка o2: лезу на мачту", "заявка o6: бегу")
    assert after("отмена\nкозни o1: цель выкрасть брата; тайны 1") == ("козни o1: цель выкрасть брата; тайны 1",)

    play(empty, tag)
    with empty.house.look() as work:
        sheet = resolving.load(work, empty.turn(tag, 2).id or 0).sheets["pirate-1"]
    assert [type(order).__name__ for order in sheet] == ["Scheme"]
    play(empty, tag, moderator="бросок Анна o1: дальновидность")
    assert after("не вмешиваюсь\nзаявка: жду")[-1] == "заявка o2: жду"


# Letters of several kinds of lines ------------------------------------------------------------------------------------


def test_moderators_letter_may_hold_rulings_a_story_and_press(empty: Stage) -> None:
    tag = begun(empty)
    play(empty, tag, pirate_1="заявка: Затаиться, изворотливость — прячусь")
    letter = """рассказ: Луна зашла.
письмо Вере Кок: Карта хрустит.
конец письма
бросок Анна o1: как заявлено
рассказ:
Срок вышел. Помощь не придёт.
помощь
конец рассказа"""
    empty.write(tag, MODERATOR, letter)
    poll(empty)

    assert empty.in_force(tag, MODERATOR) == (
        "рассказ: Луна зашла. ↵ Срок вышел. Помощь не придёт. ↵ помощь",
        "бросок Анна Бурая o1: Затаиться, изворотливость",
    )
    assert [one["text"] for one in empty.notices("press", VERA)] == ["Карта хрустит."]
    [answer] = empty.notices("moderated")
    assert [(one["mark"], one["key"]) for one in answer["answers"]] == [("done", "press")]


def test_press_finds_pirates_by_their_names_and_the_moderator_as_he_is_called(empty: Stage) -> None:
    tag = begun(empty)
    for whom in ("Флинту", "Кок", "Картографу", "Чайке"):
        empty.write(tag, "pirate-1", f"письмо {whom}: тс-с, {whom}")
    poll(empty)

    got = {address: [one["text"] for one in empty.notices("press", address)] for address in (BORIS, VERA, MASTER)}
    assert got == {BORIS: ["тс-с, Флинту"], VERA: ["тс-с, Кок"], MASTER: ["тс-с, Картографу"]}
    refused = [line.key for _, one in empty.letters("receipt") if isinstance(one, Receipt) for line in one.lines]
    assert "press-unknown" in refused


def test_commands_done_at_once_are_said_to_be_in_the_receipt(empty: Stage) -> None:
    tag = begun(empty)
    [receipt] = [one for _, one in empty.letters("receipt", MASTER)[-1:] if isinstance(one, Receipt)]

    assert receipt.at_once == len(OPENING)
    assert "Исполняю сразу, отдельным ходом" in render(receipt).text
    assert tag
