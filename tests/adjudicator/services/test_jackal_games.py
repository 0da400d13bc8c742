"""«Шакал» by mail: whole games, decisions in mid-turn, smoke, policies, the end (its page, section 5)."""

from __future__ import annotations

import pytest

from adjudicator.letters import Reader, Report
from adjudicator.services import archive, casefile, casewords
from adjudicator.services.header import Header
from adjudicator.services.render import render
from tests.adjudicator.services import islanders
from tests.adjudicator.services.islanders import GALYA, bots_write, checked, game, lay, process, text_to
from tests.adjudicator.services.smuggling import asked, close_group, question_letter
from tests.adjudicator.services.smuggling import given as answered
from tests.adjudicator.services.stage import ANNA, BORIS, VERA, Stage

PLANE = "W1 F6, G6 = plane closed"
LIGHTHOUSE = "W1 F6, G6 = lighthouse closed, H3 = chest5 closed, I3 = croc closed, J3 = keg closed, K3 = fort closed"
QUAKE = "W1 F6, G6 = quake closed, H3 = chest5 closed, C9 = horse closed"
GRASS = "W1 F6, G6 = grass closed, Y1 H8, B1 E10, R1 C5, H3 = chest5 closed"


def words(letter: object) -> str:
    return " ".join(render(letter).text.split())  # type: ignore[arg-type]


# The end


def test_game_ends_by_consent_and_the_last_letter_opens_deck_orders_and_policies(empty: Stage) -> None:
    tag = game(empty, 2)
    empty.write(tag, "white", "Б: Б1 на G2\nЧ: КОР З\nполитика: стрелка = к закрытым; конь = к кораблю")
    process(empty, tag)
    assert b'"policy"' not in islanders.log_of(empty, tag, "yellow")
    for seat in ("white", "yellow"):
        empty.write(tag, seat, "завершаем")
    process(empty, tag)

    assert islanders.status(empty, tag) == "finished"
    told = text_to(empty, BORIS, empty.letters("", BORIS)[-1][0].kind)
    assert 'All have said "conclude".' in told
    assert "What stayed face down: arrow " in told
    report = checked(empty, tag)
    assert (report.faults, report.sealed, {one.verdict for one in report.turns}) == ((), (), {"replayed"})
    everything = islanders.log_of(empty, tag)
    assert b"gm/deck/turn/116" in everything
    assert b'"type":"policy-order"' in everything


# Orders


def test_orders_stay_sealed_till_the_end_whatever_the_header_says(empty: Stage) -> None:
    tag = game(empty, 2, header=Header(open_orders="turn"))

    assert empty.events(tag, "genesis")[0]["open_orders"] == "end"


def test_policy_lasts_from_turn_to_turn_and_is_shown_to_its_author_alone(empty: Stage) -> None:
    tag = game(empty, 2)
    empty.write(tag, "white", "политика: самолёт = остаться")
    process(empty, tag)

    assert "политика: самолёт = остаться" in text_to(empty, ANNA)
    assert "самолёт = остаться" not in text_to(empty, BORIS)
    lay(empty, tag, PLANE)
    empty.write(tag, "white", "Б: Б1 на G6")
    process(empty, tag)
    assert empty.turn(tag, 2).status == "resolved"  # nothing was asked
    assert "W1 F6 → G6, turned up the plane (J8.12), stayed by the plane" in text_to(empty, BORIS)


def test_receipt_shows_readings_paths_and_offers(empty: Stage) -> None:
    tag = game(empty, 4)
    lay(empty, tag, "W1 F6, F7 = a1s, coin@F6")
    told = words(empty.say(tag, "white", "Б1 на F7\nB1 на G6\nстлелка: С\nБ1 на G66"))

    assert "✓ Б1 на F7" in told
    assert "по открытым клеткам: F6 → F7 → G7 (J3.5)" in told
    assert "эта фигура чужая (J2.2)" in told
    assert "Может быть, одно из этих:" in told


def test_alternatives_that_failed_are_told_to_their_author_alone(empty: Stage) -> None:
    tag = game(empty, 4)
    lay(empty, tag, "W1 F6")
    empty.write(tag, "white", "Б1 на A1\nиначе Б1 на F7")
    process(empty, tag)

    assert "вариант 1 не вышел: A1: это не соседняя клетка (J3.2)" in text_to(empty, ANNA)
    assert "alternative 1" not in text_to(empty, BORIS)
    assert "**White**: W1 F6 → F7." in text_to(empty, BORIS)


# Decisions in mid-turn


def paused(stage: Stage, position: str, order: str, **options: str) -> str:
    tag = game(stage, 4, **options)
    lay(stage, tag, position)
    stage.write(tag, "white", order)
    process(stage, tag)
    return tag


def test_plane_is_asked_about_and_flies_where_it_is_told(empty: Stage) -> None:
    tag = paused(empty, PLANE, "Б1 на G6")
    told = words(question_letter(empty, ANNA)[1])

    assert "Б1 F6 → G6, открыт самолёт (J8.12)" in told
    assert "На G6 самолёт (J8.12)." in told
    assert "если остаться, полёта уже не будет" in told
    assert "1. остаться — полёта уже не будет 2. G1 — свой корабль" in told
    assert "Не ответите — будет: остаться." in told
    others = words(question_letter(empty, BORIS, "question-awaited")[1])
    assert "the decision lies with White." in others
    assert "turned up the plane" in others
    empty.say(tag, "white", "C4")
    close_group(empty, tag)
    assert "W1 F6 → G6, turned up the plane (J8.12) → C4 by plane (J8.12)" in text_to(empty, BORIS)


@pytest.mark.parametrize(
    ("position", "answer", "told"),
    [
        (f"{PLANE}, coin@C4*2, coin@D9, Y1 D9", "3", "→ C4 by plane (J8.12)"),
        (f"{PLANE}, coin@C4*2, coin@D9, Y1 D9", "ответ 1: 4", "→ D9 by plane (J8.12)"),
        (PLANE, "2. G1", "→ G1 by plane (J8.12)"),
        (LIGHTHOUSE, "1", "looked at H3, I3, J3, K3 from the lighthouse (J8.17)"),
        (QUAKE, "ответ: 1", "the earthquake swapped H3 and C9 (J8.19)"),
    ],
)
def test_number_of_the_letter_is_done_as_the_letter_said(empty: Stage, position: str, answer: str, told: str) -> None:
    tag = paused(empty, position, "Б1 на G6")
    receipt = empty.say(tag, "white", answer)
    assert [line.mark for line in receipt.lines] == ["command"]
    close_group(empty, tag)
    if "маяк" in words(question_letter(empty, ANNA)[1]):
        close_group(empty, tag)

    assert told in text_to(empty, BORIS)


def test_number_with_other_words_behind_it_is_refused_with_both(empty: Stage) -> None:
    tag = paused(empty, PLANE, "Б1 на G6")

    assert "можно понять двояко: G1 или C4; ответьте номером" in words(empty.say(tag, "white", "2. C4"))
    assert asked(empty, tag)["white"].answers == {}


@pytest.mark.parametrize("cell", ["B3", "К5", "b3"])
def test_cell_that_is_called_like_a_pirate_is_an_answer(empty: Stage, cell: str) -> None:
    tag = paused(empty, PLANE, "Б1 на G6")
    empty.say(tag, "white", cell)
    close_group(empty, tag)

    assert f"→ {cell.upper().replace('К', 'K')} by plane (J8.12)" in text_to(empty, BORIS)


def test_unanswered_plane_is_left_to_the_default(empty: Stage) -> None:
    tag = paused(empty, PLANE, "Б1 на G6")
    close_group(empty, tag)

    assert [(key, whose) for key, _, whose in answered(empty, tag)] == [("white/o1/plane/0", "default")]
    assert "остался у самолёта: полёта уже не будет (J8.12)" in text_to(empty, VERA)


def test_lighthouse_asks_which_cells_then_shows_them_and_asks_how_to_lay_them_back(empty: Stage) -> None:
    tag = paused(empty, LIGHTHOUSE, "Б1 на G6")

    assert "с него видно 4 закрытые клетки (J8.17)" in words(question_letter(empty, ANNA)[1])
    empty.say(tag, "white", "H3, I3, J3, K3")
    close_group(empty, tag)
    second = words(question_letter(empty, ANNA)[1])
    assert "H3 — сундук V; I3 — крокодил; J3 — бочонок рома; K3 — крепость" in second
    assert "H3: chest V" not in words(question_letter(empty, BORIS, "question-awaited")[1])
    empty.say(tag, "white", "разложить H3-K3, K3-H3")
    close_group(empty, tag)
    own, other = text_to(empty, ANNA), text_to(empty, BORIS)
    assert "**Блокнот**, видите только вы: H3 — крепость (ход 1)" in own
    assert "K3 — сундук V (ход 1)" in own
    assert "looked at H3, I3, J3, K3 from the lighthouse (J8.17)" in other
    assert "Notebook" not in other
    assert "laid back" not in other.casefold()


def test_quake_is_answered_by_a_pair_and_unfit_pairs_are_refused_with_the_reason(empty: Stage) -> None:
    tag = paused(empty, QUAKE, "Б1 на G6")
    refused = words(empty.say(tag, "white", "H3-G6"))

    assert "эти клетки не поменять, на них кто-то или что-то есть: G6" in refused
    empty.say(tag, "white", "H3-C9")
    close_group(empty, tag)
    assert "the earthquake swapped H3 and C9 (J8.19)" in text_to(empty, BORIS)


def test_unanswered_quake_is_left_to_the_default(empty: Stage) -> None:
    tag = paused(empty, QUAKE, "Б1 на G6")
    assert asked(empty, tag)["white"].answers == {}
    close_group(empty, tag)

    assert "the earthquake swapped H3 and C9 (J8.19)" in text_to(empty, BORIS)


# Silence, lateness, and those who are not asked


def test_unanswered_lighthouse_looks_near_own_men_and_lays_back_as_it_was(empty: Stage) -> None:
    tag = paused(empty, LIGHTHOUSE, "Б1 на G6")
    close_group(empty, tag)
    assert "С маяка видно (только вам): H3 — сундук V" in words(question_letter(empty, ANNA)[1])
    close_group(empty, tag)

    assert [(key, whose) for key, _, whose in answered(empty, tag)] == [
        ("white/o1/lighthouse/0", "default"),
        ("white/o1/lay/0", "default"),
    ]
    assert "Разложено как было" in text_to(empty, ANNA)
    assert "looked at H3, I3, J3, K3 from the lighthouse (J8.17)" in text_to(empty, BORIS)
    assert checked_words(empty, tag) == ("open", 2)


def checked_words(stage: Stage, tag: str) -> tuple[str, int]:
    """Return how the open turn stands, and its number."""
    turn = stage.turn(tag)
    return turn.status, turn.number


def test_unanswered_decision_goes_by_the_policy_before_the_default(empty: Stage) -> None:
    tag = paused(empty, f"{PLANE}, coin@C4", "Б1 на G6\nполитика: самолёт = спросить, потом к монетам")
    assert "Не ответите — будет: C4 (так велит ваша политика)." in words(question_letter(empty, ANNA)[1])
    close_group(empty, tag)

    assert [whose for _, _, whose in answered(empty, tag)] == ["policy"]
    assert "→ C4 by plane (J8.12)" in text_to(empty, BORIS)


@pytest.mark.parametrize("position", [PLANE, LIGHTHOUSE, QUAKE], ids=["plane", "lighthouse", "quake"])
def test_answer_that_comes_too_late_changes_nothing_and_says_so(empty: Stage, position: str) -> None:
    tag = paused(empty, position, "Б1 на G6")
    letter, _ = question_letter(empty, ANNA)
    close_group(empty, tag)
    before = answered(empty, tag)
    late = empty.say(tag, "white", "1", answers=letter.message_id)

    assert [(line.mark, line.key) for line in late.lines] == [("command-refused", "answer-closed")]
    assert answered(empty, tag) == before


def test_seat_that_is_not_asked_cannot_answer_for_another(empty: Stage) -> None:
    tag = paused(empty, PLANE, "Б1 на G6")
    other = empty.say(tag, "yellow", "answer: C4")

    assert [(line.mark, line.key) for line in other.lines] == [("command-refused", "no-question")]
    assert "nothing is asked of you now" in words(other)
    assert asked(empty, tag)["white"].answers == {}


def test_partner_is_not_asked_does_not_see_the_question_and_cannot_answer_it(empty: Stage) -> None:
    tag = paused(empty, LIGHTHOUSE, "Б1 на G6 (маяк: H3, I3, J3, K3)", teams="yes")
    awaited = words(question_letter(empty, VERA, "question-awaited")[1])
    assert "Белые" in awaited
    assert "H3 — сундук V" not in awaited
    assert [line.key for line in empty.say(tag, "black", "ответ: как было").lines] == ["no-question"]
    empty.say(tag, "white", "разложить H3-K3, K3-H3")
    close_group(empty, tag)

    assert "H3 — " not in text_to(empty, VERA)
    assert "H3 — крепость (ход 1)" in text_to(empty, ANNA)


def test_silent_partner_is_played_by_default_and_his_rum_is_not_drunk(empty: Stage) -> None:
    tag = game(empty, 4, teams="yes")
    lay(empty, tag, "W1 G6 trapped, G6 = trap, bottles black 1")
    empty.write(tag, "white", "Б1 ром союзника на H6\nиначе КОР В")
    process(empty, tag)

    own, partner = text_to(empty, ANNA), text_to(empty, VERA)
    assert "вариант 1 не вышел: рому нет" in own
    assert "**Чёрные**" in partner
    assert "*(по умолчанию)*" in partner


# Smoke


def test_burning_grass_cuts_the_round_and_gives_every_colour_to_the_next(empty: Stage) -> None:
    tag = paused(empty, GRASS, "Б1 на G6")
    anna, galya = text_to(empty, ANNA), text_to(empty, GALYA)

    assert "На этом круг оборван" in anna
    assert "людьми жёлтых — Чёрные" in anna
    assert "**Дым:** на этот круг вам достались чужие люди — командуйте красными." in anna
    assert "command black" in galya
    receipt = words(empty.say(tag, "white", "К1 на C6"))
    assert "✓ К1 на C6" in receipt
    process(empty, tag)
    told = text_to(empty, GALYA)
    assert "**Red** (commanded by White): R1 C5 → C6." in told
    assert "The island is in smoke:" in told


def test_rum_is_refused_in_the_smoke(empty: Stage) -> None:
    tag = game(empty, 4, mode="strict")
    lay(empty, tag, "W1 F6, G6 = grass closed, Y1 H8 trapped, H8 = trap, bottles yellow 2, bottles black 1")
    empty.write(tag, "white", "Б1 на G6")
    process(empty, tag)
    receipt = words(empty.say(tag, "black", "Ж1 ром на H7"))

    assert "в дыму рома не пьют и никого не поят (J8.21)" in receipt


def test_every_report_shows_gold_pile_chances_and_the_map_in_76_columns(empty: Stage) -> None:
    tag = game(empty, 3)
    bots_write(empty, tag)
    process(empty, tag)
    report = empty.letters("report", ANNA)[-1][1]
    assert isinstance(report, Report)
    text = render(report).text

    assert max(len(line) for line in text.splitlines()) <= 76
    assert "всего 40." in text
    assert "| клетка " in text
    assert "Чёрные (Ч)" not in text  # three players: the black side is empty


def test_case_file_and_archive_tell_each_step_with_its_rule_and_no_peek_to_others(empty: Stage) -> None:
    tag = paused(empty, LIGHTHOUSE, "Б1 на G6 (маяк: H3, I3, J3, K3)")
    close_group(empty, tag)
    with empty.house.look() as work:
        found = work.game(tag, lock=False)
        told = {
            seat: casewords.markdown(
                casefile.gather(work, found, 1, Reader(name="", language="ru", zone="Europe/Moscow"), seat)
            )
            for seat in ("white", "yellow")
        }
        pages = archive.pages(work, found)

    assert "H3 — сундук V" in told["white"]
    assert "H3 — сундук V" not in told["yellow"]
    assert "с маяка осмотрены H3, I3, J3, K3 (J8.17)" in told["yellow"]
    assert not any("сундук V; I3" in str(page) for page in pages)


@pytest.mark.parametrize("topic", ["клетки", "стрелка", "маяк", "драка"])
def test_rules_are_sent_by_topic_and_by_the_name_of_a_tile(empty: Stage, topic: str) -> None:
    tag = game(empty, 2)

    assert "J" in words(empty.say(tag, "white", f"правила {topic}")).split("## Правила")[1]
