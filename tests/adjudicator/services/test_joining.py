"""From the invitation to turn 0: one word in answer joins, and the last seat starts the game (play-by-mail 0)."""

from __future__ import annotations

import pytest

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Report
from adjudicator.services import games, people, tokens
from adjudicator.services.header import Header
from tests.adjudicator.services.stage import ANNA, BORIS, JUDGE, PIRATES, SPAIN, VERA, Stage


def invited(stage: Stage, *, players: int = 2, header: Header | None = None) -> str:
    """Make a game and invite Anna and Boris."""
    with stage.house.unit("test") as work:
        game = games.create(work, "pirates", players, header=header)
        games.invite(work, game, ANNA, name="Анна", seat=SPAIN)
        games.invite(work, game, BORIS, language="en")
    stage.settle()
    return game.tag


def answer(stage: Stage, address: str, text: str, *, sender: str = "") -> None:
    letter, _ = stage.letters("invitation", address)[-1]
    stage.deliver(stage.message(sender or address, text, answers=letter.message_id))
    stage.settle()


def test_invitation_is_written_once_and_carries_the_anchors(both: Stage) -> None:
    tag = invited(both)
    with both.house.unit("test") as work:
        games.invite(work, work.game(tag), ANNA)
    both.settle()

    assert [row.address for row, _ in both.letters("invitation") if row.game_id == 2] == [ANNA, BORIS]
    assert both.notices("invitation")[-1]["anchors"] == both.events(tag, "genesis")[0]["anchors"]


def test_one_word_joins_and_the_last_seat_starts_the_game(empty: Stage) -> None:
    tag = invited(empty)
    answer(empty, ANNA, "Вступаю!\nсоль: Йо-хо-хо\nС уважением, Анна")

    assert [fact["phrase"] for fact in empty.notices("welcome", ANNA)] == ["Йо-хо-хо"]
    assert empty.letters("report") == []

    answer(empty, BORIS, "join\nsalt: seven feet")

    assert [row.address for row, _ in empty.letters("report")] == [ANNA, BORIS]
    assert (empty.turn(tag).number, empty.turn(tag).phase) == (0, "set-up")
    assert empty.events(tag, "lock")[0]["phrases"] == {"p1": "Йо-хо-хо", "p2": "seven feet"}
    assert {empty.tenure(tag, SPAIN).player_id, empty.tenure(tag, PIRATES).player_id} == {1, 2}
    opening = empty.letters("report", BORIS)[0][1]
    assert isinstance(opening, Report)
    assert opening.reader.language == "en"


def test_first_turn_has_twice_the_usual_time(empty: Stage) -> None:
    tag = invited(empty)
    answer(empty, ANNA, "вступаю")
    answer(empty, BORIS, "join")

    assert (empty.turn(tag).deadline - empty.clock.now()).days == 4


def test_token_in_the_address_joins_without_a_thread(empty: Stage) -> None:
    invited(empty)
    reply_to = empty.letters("invitation", ANNA)[-1][1].reader.reply_to
    empty.deliver(empty.message(ANNA, "вступаю", to=reply_to))
    empty.settle()

    assert empty.verdicts() == [("orders", "join")]


def test_joining_twice_joins_once(empty: Stage) -> None:
    tag = invited(empty, players=3)
    answer(empty, ANNA, "вступаю")
    answer(empty, ANNA, "вступаю")

    assert len(empty.events(tag, "join")) == 1
    assert len(empty.letters("welcome", ANNA)) == 1


def test_seat_may_be_named(empty: Stage) -> None:
    tag = invited(empty)
    answer(empty, BORIS, "join Pirates-1")
    answer(empty, ANNA, "вступаю")

    with empty.house.look() as work:
        holders = {
            one.seat: people.player(work, one.player_id).name
            for one in people.tenures(work, work.game(tag, lock=False))
        }
    assert holders[SPAIN] == "Анна"


def test_seat_that_there_is_not_is_refused(empty: Stage) -> None:
    invited(empty)
    answer(empty, BORIS, "join Atlantis-1")

    assert [fact["why"] for fact in empty.notices("join-refused", BORIS)] == ["unknown-seat"]


def test_answer_without_the_word_is_told_how_to_say_yes(empty: Stage) -> None:
    tag = invited(empty)
    answer(empty, ANNA, "С удовольствием сыграю!")

    assert empty.verdicts() == [("empty", "no-join")]
    assert [fact["why"] for fact in empty.notices("join-refused", ANNA)] == ["no-join"]
    assert empty.events(tag, "join") == []


def test_invitation_answered_from_another_address_joins_nobody(empty: Stage) -> None:
    tag = invited(empty)
    answer(empty, ANNA, "вступаю", sender=VERA)

    assert empty.verdicts() == [("held", "unknown-sender")]
    assert (empty.events(tag, "join"), empty.letters("", VERA)) == ([], [])


def test_stranger_cannot_join_by_the_tag(empty: Stage) -> None:
    tag = invited(empty)
    empty.deliver(empty.message(VERA, f"вступаю {tag}", subject=f"[{tag}]"))
    empty.settle()

    assert (empty.events(tag, "join"), empty.letters("", VERA)) == ([], [])


def test_forged_invitation_token_joins_nobody(empty: Stage) -> None:
    tag = invited(empty)
    with empty.house.look() as work:
        game = work.game(tag, lock=False)
        carrier = f"{game.tag}.i1." + "a" * 26
    empty.deliver(empty.message(ANNA, "вступаю", to=tokens.reply_address(JUDGE, carrier)))
    empty.settle()

    assert (empty.verdicts()[0][0], empty.events(tag, "join")) == ("held", [])


def test_joining_after_the_start_is_refused(empty: Stage) -> None:
    with empty.house.unit("test") as work:
        game = games.create(work, "pirates", 2)
        for address in (ANNA, BORIS, VERA):
            games.invite(work, game, address)
    empty.settle()
    for address in (ANNA, BORIS, VERA):
        answer(empty, address, "вступаю")

    assert [fact["why"] for fact in empty.notices("join-refused", VERA)] == ["already-started"]


def test_game_without_auto_start_waits_for_the_word(empty: Stage) -> None:
    tag = invited(empty, header=Header(auto_start=False))
    answer(empty, ANNA, "вступаю")
    with pytest.raises(RefusedByRules, match="seats-free"):
        empty.alter(lambda work: games.start(work, work.game(tag)))
    answer(empty, BORIS, "join")
    assert empty.letters("report") == []

    empty.alter(lambda work: games.start(work, work.game(tag)))

    assert empty.turn(tag).number == 0


def test_language_of_the_joining_letter_counts(empty: Stage) -> None:
    invited(empty)
    answer(empty, ANNA, "вступаю\nязык en")

    assert [value.reader.language for _, value in empty.letters("welcome", ANNA)] == ["en"]
