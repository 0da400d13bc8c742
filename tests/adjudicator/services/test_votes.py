"""``ничья`` and votes: confirmed by an answer, secret until counted, lapsing with the report (play-by-mail 2, 6)."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.letters import Report
from adjudicator.services import logbook, outbox, people, proposals
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter, Proposal, Tenure, Vote
from engine.core import registry
from tests.adjudicator.services.stage import ANNA, BORIS, CAST, OPERATOR, PIRATES, SPAIN, SPAIN_ORDERS, VERA, Stage

THREE = (*CAST, (VERA, "Вера", "ru", "pirates-2"))
FIVE = (*THREE, ("g@example.org", "Глеб", "ru", "spain-2"), ("d@example.org", "Дина", "ru", "pirates-3"))


def message_id(stage: Stage, kind: str, address: str) -> str:
    row, _ = stage.letters(kind, address)[-1]
    return row.message_id


def answer(stage: Stage, tag: str, seat: str, text: str, kind: str, address: str) -> None:
    stage.write(tag, seat, text, answers=message_id(stage, kind, address))
    stage.settle()


def propose_draw(stage: Stage, tag: str) -> None:
    stage.say(tag, SPAIN, "ничья\n")
    answer(stage, tag, SPAIN, "да\n", "confirm", ANNA)


def status(stage: Stage, tag: str) -> str:
    with stage.house.look() as work:
        return work.game(tag, lock=False).status


def ends(stage: Stage) -> list[tuple[str, str]]:
    with stage.house.look() as work:
        rows = work.session.exec(select(Proposal).order_by(col(Proposal.id)))
        return [(row.kind, row.status) for row in rows]


def test_draw_is_not_proposed_before_its_writer_has_confirmed_it(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, "ничья\n")

    assert [(line.mark, line.key) for line in receipt.lines] == [("command", "draw")]
    assert [(kind, address) for kind, address in place.kinds() if kind in ("confirm", "proposal")] == [
        ("confirm", ANNA)
    ]
    assert ends(place) == []


def test_no_drops_what_was_asked_and_its_writer_is_told(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "ничья\n")
    answer(place, tag, SPAIN, "нет\n", "confirm", ANNA)

    assert (ends(place), place.notices("confirmed-not", ANNA)) == ([], [{"what": "draw"}])


def test_confirmed_draw_is_proposed_to_all_and_nobody_learns_whose_it_is(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)

    facts = {"voters": 3, "needed": 3, "turn": 1, "what": "draw", "number": 1}
    assert [empty.notices("proposal", one) for one in (ANNA, BORIS, VERA)] == [[facts]] * 3
    assert empty.notices("confirmed", ANNA) == [{"what": "draw"}]


def test_draw_that_all_have_agreed_to_ends_the_game(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    empty.say(tag, PIRATES, "голос да\n")
    assert status(empty, tag) == "running"
    empty.say(tag, "pirates-2", "vote yes\n")

    assert status(empty, tag) == "finished"
    assert [(one["reason"], one.get("outcome")) for one in empty.events(tag, "finish")] == [("draw", None)]
    last = [value for _, value in empty.letters("report") if isinstance(value, Report) and value.outcome]
    assert [(one.reader.seat, one.outcome.reason if one.outcome else "") for one in last] == [
        (SPAIN, "draw"),
        (PIRATES, "draw"),
        ("pirates-2", "draw"),
    ]
    assert ends(empty) == [("draw", "carried")]


def test_log_of_a_game_that_ended_by_a_draw_is_verified_whole(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    propose_draw(place, tag)
    place.say(tag, PIRATES, "голос да\n")
    with place.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, SPAIN, 0, game.seq)

    found = verify(read_source(tag, file), {"pirates": registry.ruleset("pirates")})

    assert (found.faults, found.finished, found.replayed) == ((), True, True)


def test_turn_that_is_given_up_by_a_draw_has_its_seed_published_and_no_dice(place: Stage) -> None:
    """Rule U of fair play: a batch that was opened and never resolved is burned."""
    tag = place.game()
    batch = place.turn(tag).batch
    propose_draw(place, tag)
    place.say(tag, PIRATES, "голос да\n")

    burned, finished = place.events(tag)[-2:]
    assert (burned["type"], list(burned["seeds"]["main"]), burned["reason"]) == ("burn", [str(batch)], "draw")
    assert (finished["type"], place.turn(tag, 1).status) == ("finish", "withdrawn")


def test_letters_that_have_no_sense_after_the_end_are_not_sent(place: Stage) -> None:
    tag = place.game()
    propose_draw(place, tag)
    with place.house.unit("test") as work:
        outbox.queue(work, "reminder/later", BORIS, outbox.Envelope(), game=work.game(tag))
    with place.house.unit("test") as work:
        queued = work.session.exec(select(Letter).where(Letter.key == "reminder/later")).one()
        queued.due = work.now + timedelta(days=1)
        work.session.add(queued)
    place.say(tag, PIRATES, "голос да\n")

    with place.house.look() as work:
        assert work.session.exec(select(Letter.status).where(Letter.key == "reminder/later")).one() == "withdrawn"


def test_one_no_keeps_a_draw_from_carrying(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    empty.say(tag, PIRATES, "голос нет\n")
    assert ends(empty) == [("draw", "open")]
    empty.say(tag, "pirates-2", "голос да\n")

    assert (status(empty, tag), ends(empty)) == ("running", [("draw", "refused")])
    counted = {"voters": 3, "needed": 3, "yes": 2, "no": 1, "turn": 1, "what": "draw", "number": 1}
    assert empty.notices("proposal-refused", ANNA) == [counted]


def test_votes_are_secret_until_they_are_counted(empty: Stage) -> None:
    """The voice lies sealed in the database, and no letter to another seat changes with it."""
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    before = len(empty.letters())
    empty.say(tag, PIRATES, "голос нет\n")

    assert {row.address for row, _ in empty.letters()[before:]} == {BORIS}
    with empty.house.look() as work:
        voices = [row.voice for row in work.session.exec(select(Vote))]
    assert [one for one in voices if b"yes" in one or b"no" in one] == []


def test_last_vote_counts(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    empty.say(tag, PIRATES, "голос нет\n")
    empty.say(tag, PIRATES, "голос да\n")
    empty.say(tag, "pirates-2", "голос да\n")

    assert status(empty, tag) == "finished"


def test_proposal_lapses_with_the_next_report(place: Stage) -> None:
    tag = place.game()
    propose_draw(place, tag)
    place.pass_deadline(tag)

    assert (place.turn(tag).number, ends(place)) == (2, [("draw", "lapsed")])
    assert [one["what"] for one in place.notices("proposal-lapsed", BORIS)] == ["draw"]
    receipt = place.say(tag, PIRATES, "голос да\n")
    assert [(line.mark, line.key) for line in receipt.lines] == [("command-refused", "vote-none")]


def test_draw_confirmed_when_its_turn_is_over_is_not_proposed(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "ничья\n")
    place.pass_deadline(tag)
    answer(place, tag, SPAIN, "да\n", "confirm", ANNA)

    assert ends(place) == []
    late = {"late": "turn", "turn": 1, "open": 2, "what": "draw"}
    assert place.notices("confirmed-late", ANNA) == [late]


def test_second_confirmation_does_nothing_and_says_so(place: Stage) -> None:
    tag = place.game()
    propose_draw(place, tag)
    answer(place, tag, SPAIN, "да\n", "confirm", ANNA)

    assert (len(ends(place)), place.notices("confirmed-late", ANNA)) == (1, [{"late": "settled", "what": "draw"}])


def test_nobody_confirms_for_another(place: Stage) -> None:
    """Boris knows the letter's Message-ID and writes ``да`` himself, with his own proof."""
    tag = place.game()
    place.say(tag, SPAIN, "ничья\n")
    place.write(tag, PIRATES, "да\n", answers=message_id(place, "confirm", ANNA))
    place.settle()

    assert ends(place) == []


def test_second_seat_that_proposes_a_draw_agrees_to_the_first(place: Stage) -> None:
    tag = place.game()
    propose_draw(place, tag)
    place.say(tag, PIRATES, "draw\n")
    answer(place, tag, PIRATES, "yes\n", "confirm", BORIS)

    assert (status(place, tag), ends(place)) == ("finished", [("draw", "carried")])


@pytest.mark.parametrize(
    ("text", "key"), [("голос может быть", "vote-unread"), ("голос да", "vote-none"), ("голос нет", "vote-none")]
)
def test_vote_on_nothing_is_refused(place: Stage, text: str, key: str) -> None:
    receipt = place.say(place.game(), SPAIN, text)

    assert [(line.mark, line.key) for line in receipt.lines] == [("command-refused", key)]


def lay(stage: Stage, tag: str, kind: str) -> None:
    stage.alter(lambda work: proposals.propose(work, work.game(tag), kind, {}, "moderator", 1))


def how_many(stage: Stage, tag: str, kind: str) -> tuple[int, int]:
    def count(work: Work) -> tuple[int, int]:
        game: Game = work.game(tag, lock=False)
        proposal = Proposal(game_id=game.id or 0, kind=kind, turn=1, seat="moderator", facts=b"", created=work.now)
        return len(proposals.voters(work, game, proposal)), proposals.needed(work, game, proposal)

    with stage.house.look() as work:
        return count(work)


@pytest.mark.parametrize(
    ("moderator", "cast", "kind", "needed"),
    [
        ("apart", FIVE, "draw", (5, 5)),
        ("none", FIVE, "process", (5, 4)),
        ("none", FIVE, "void", (5, 5)),
        ("none", THREE, "process", (3, 3)),
        ("none", FIVE, "draw", (5, 5)),
        ("plays", FIVE, "process", (5, 1)),
    ],
)
def test_how_many_voices_carry_a_proposal(
    empty: Stage, moderator: str, cast: tuple[tuple[str, str, str, str], ...], kind: str, needed: tuple[int, int]
) -> None:
    tag = empty.game(header=Header(moderator=moderator), cast=cast)  # type: ignore[arg-type]

    assert how_many(empty, tag, kind) == needed


def test_vote_is_for_the_proposal_it_answers_or_numbers(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    lay(empty, tag, "void")
    unclear = empty.say(tag, PIRATES, "голос да\n")
    numbered = empty.say(tag, PIRATES, "голос 2 да\n")
    answered = empty.say(tag, "pirates-2", "голос да\n", answers=message_id(empty, "proposal", VERA))

    assert [(line.key, line.facts) for one in (unclear, numbered, answered) for line in one.lines] == [
        ("vote-which", {"numbers": [1, 2]}),
        ("vote", {"yes": True, "number": 2}),
        ("vote", {"yes": True, "number": 2}),
    ]


@pytest.mark.parametrize(("word", "end"), [("да", "carried"), ("нет.", "refused"), ("Yes", "carried")])
def test_yes_or_no_as_the_whole_answer_to_a_proposal_is_a_vote(place: Stage, word: str, end: str) -> None:
    tag = place.game()
    propose_draw(place, tag)
    receipt = place.say(tag, PIRATES, word, answers=message_id(place, "proposal", BORIS))

    assert ([line.key for line in receipt.lines], ends(place)) == (["vote"], [("draw", end)])


def test_vote_of_a_former_holder_is_not_his_successors(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    empty.say(tag, PIRATES, "голос да\n")
    boris = empty.tenure(tag, PIRATES).id
    empty.clock.move(timedelta(minutes=1))
    with empty.house.unit("test") as work:
        game = work.game(tag)
        people.dismiss(work, game, work.session.get_one(Tenure, boris))
        gleb = people.register(work, "g@example.org", name="Глеб", language="ru", zone="Europe/Moscow")
        work.add(Tenure(game_id=game.id or 0, seat=PIRATES, player_id=gleb.id or 0, since=work.now))
    empty.say(tag, "pirates-2", "голос да\n")
    assert (status(empty, tag), ends(empty)) == ("running", [("draw", "open")])
    empty.say(tag, PIRATES, "голос да\n")

    assert status(empty, tag) == "finished"


def test_vote_that_waits_for_one_who_resigns_is_counted_without_him(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    empty.say(tag, PIRATES, "голос да\n")
    empty.say(tag, "pirates-2", "сдаюсь\n")
    answer(empty, tag, "pirates-2", "да\n", "confirm", VERA)

    assert (status(empty, tag), ends(empty)) == ("finished", [("draw", "carried")])


def test_vote_that_cannot_be_carried_out_stops_nothing_and_the_operator_hears_of_it(place: Stage) -> None:
    tag = place.game()
    lay(place, tag, "nonsense")
    for seat in (SPAIN, PIRATES):
        place.say(tag, seat, "голос да\n")
    place.pass_deadline(tag)

    assert (ends(place), place.turn(tag).number) == ([("nonsense", "withdrawn")], 2)
    assert [one["cause"] for one in place.notices("vote-operator", OPERATOR)] == ["nonsense: KeyError: 'nonsense'"]


def test_end_of_a_game_withdraws_votes_and_questions_and_reminds_nobody(empty: Stage) -> None:
    tag = empty.game(cast=THREE)
    propose_draw(empty, tag)
    empty.say(tag, PIRATES, "ничья\n")
    for seat in (PIRATES, "pirates-2"):
        empty.say(tag, seat, "голос да\n")
    answer(empty, tag, PIRATES, "да\n", "confirm", BORIS)
    empty.later(timedelta(days=2))

    assert [one for one in empty.kinds() if one[0] == "reminder"] == []
    assert empty.notices("confirmed-late", BORIS) == [{"late": "settled", "what": "draw"}]
    assert json.dumps(empty.events(tag)[-1]["type"]) == '"finish"'
