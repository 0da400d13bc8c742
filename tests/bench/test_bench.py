"""The ratios that say whether the service is fast enough, printed by ``make bench``."""

from __future__ import annotations

import email
import email.policy
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from statistics import median

from imapclient import IMAPClient
from sqlmodel import func, select

from adjudicator import bootstrap, jobs
from adjudicator.services import ingest, intake, logbook, people, positions, resolving, tokens, turns, warming
from adjudicator.services.work import House
from adjudicator.storage.tables import Game, Letter, Mail
from engine.core import registry
from engine.core.contract import MODERATOR, Answers, Resolution, Ruleset
from engine.core.selfplay import turn_dice
from tests.bench.games import JUDGE, START, house, seconds, started
from tests.mail.corpus import samples
from tests.mail.fuzz import look
from tests.mail.mails import raw_mail
from tests.servers.dovecot import Account, Dovecot

MAILS = 1000
PIRATES = registry.ruleset("pirates")
JACKAL = registry.ruleset("jackal")
SET_SAIL = registry.ruleset("set_sail")


def test_turn_against_durable_commit(tmp_path: Path) -> None:
    turns = {
        "a nine-ship turn of «Пираты»": _a_turn(PIRATES, 9, 5),
        "a round of four of «Шакал»": _a_turn(JACKAL, 4, 30),
        "a turn of eight pirates of «Поднять паруса!»": _a_turn(SET_SAIL, 8, 40),
        "eight rulings with all that comes of them": _a_turn(SET_SAIL, 8, 41),
    }
    database = sqlite3.connect(tmp_path / "commit.db", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")

    def commit() -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO row (text) VALUES (?)", ("x" * 200,))
        database.execute("COMMIT")

    durable = seconds(commit, 300)
    database.close()
    for name, resolve in turns.items():
        turn = seconds(resolve, 300)
        print(f"\nresolving {name} / one durable commit = {turn / durable:.2f}   (aim: below 1)")
        print(f"  {turn * 1000:.2f} ms a turn, {durable * 1000:.2f} ms a commit")


def _a_turn(rules: Ruleset, players: int, turns: int) -> Callable[[], object]:
    """Return what resolves a turn some way into a game of bots, the same every time."""
    options = next(iter(rules.info.editions.values()))
    seats = [seat.id for seat in rules.seats(options, players)]
    state = rules.start(options, seats, turn_dice(rules, "bench", 0)).state
    for number in range(1, turns + 1):
        sheets = {}
        for seat in (*seats, MODERATOR) if rules.info.moderated else seats:
            view = rules.view(state, seat)
            sheet = rules.bot(view, lambda n: 0 if n < 2 else 1)
            sheets[seat] = (*sheet, *rules.silent(view, sheet))
        dice = turn_dice(rules, "bench", number, 8)
        answers: dict[str, str] = {}
        while not isinstance(found := rules.resolve(state, sheets, dice, Answers(answers, dice)), Resolution):
            answers |= {question.key: question.default for question in found.questions}
        before, state = state, found.state
    return lambda: rules.resolve(before, sheets, dice, Answers(answers, dice))


def test_intake_against_bare_fetch(dovecot: Dovecot, mailbox: Account, tmp_path: Path) -> None:
    place = house(tmp_path, mailbox.user, mailbox.password, dovecot.imap_port)
    mails = _order_mails(place)
    dovecot.lay_down(mailbox, [(raw, START + timedelta(hours=1)) for raw in mails])
    place.clock.move_to(START + timedelta(hours=2))  # type: ignore[attr-defined]
    begin = time.perf_counter()
    _bare(dovecot, mailbox)
    bare = time.perf_counter() - begin
    desk = bootstrap.desk(place)
    warming.warm_up()  # as the service does before its first round, this and the next
    jobs.leave_start_up_alone()
    begin = time.perf_counter()
    for source in desk.sources:
        ingest.poll(place, source)
    stored = time.perf_counter() - begin
    intake.handle_all(place, desk.doorway)
    ours = time.perf_counter() - begin
    for source in desk.sources:
        source.close()
    with place.look() as work:
        verdicts = Counter((mail.verdict, mail.why) for mail in work.session.exec(select(Mail)))
        assert verdicts == {("orders", ""): MAILS}
        receipts = select(func.count()).select_from(Letter).where(Letter.kind == "receipt")
        assert work.session.exec(receipts).one() == MAILS
    place.store.close()
    print(f"\nintake up to the receipt row / bare fetch and parse, as rates = {bare / ours:.2f}   (aim: at least 0.5)")
    print(f"  {MAILS / ours:.0f} mails/s against {MAILS / bare:.0f}; {MAILS / stored:.0f} mails/s stored durably")


def _order_mails(place: House) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < MAILS:
        tag = started(place, 9)
        with place.unit("bench") as work:
            game = work.game(tag)
            turns.process(work, game, 0)
        resolving.resolve_due(place)
        with place.unit("bench") as work:
            for letter in work.session.exec(select(Letter).where(Letter.status == "new")):
                letter.status, letter.sent = "sent", work.now
        with place.look() as work:
            game = work.game(tag, lock=False)
            for tenure in people.tenures(work, game):
                found += [_mail(work, game, tenure, number) for number in range(4)]
    return found[:MAILS]


def _mail(work: object, game: Game, tenure: object, number: int) -> bytes:
    turn = positions.current(work, game)  # type: ignore[arg-type]
    assert turn is not None
    table = positions.table(game)
    view = table.ruleset.view(positions.state_of(work, table, turn), tenure.seat)  # type: ignore[attr-defined, arg-type]
    person = people.player(work, tenure.player_id)  # type: ignore[attr-defined, arg-type]
    message = EmailMessage()
    message["From"] = f"{person.name} <{people.main_address(work, person)}>"  # type: ignore[arg-type]
    message["To"] = tokens.reply_address(JUDGE, tokens.of_tenure(work.vault, game, tenure))  # type: ignore[attr-defined, arg-type]
    message["Subject"] = f"Re: [{game.tag}] turn {turn.number}"
    message["Message-ID"] = f"<{number}.{tenure.seat}.{game.tag}@example.org>"  # type: ignore[attr-defined]
    message["Date"] = START + timedelta(minutes=number)
    lines = "\n".join(table.ruleset.template(view, "en"))
    quoted = "\n".join(f"> line {place} of the report you sent, as clients quote it" for place in range(40))
    message.set_content(
        f"Hello,\n\nhere are my orders.\n\n{lines}\n\nBest,\nA.\n\nOn Monday the judge wrote:\n{quoted}\n"
    )
    return message.as_bytes()


def _bare(dovecot: Dovecot, mailbox: Account) -> None:
    """Fetch and parse all mails as a script without any promises would."""
    with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False, timeout=30) as client:
        client.login(mailbox.user, mailbox.password)
        client.select_folder("INBOX", readonly=True)
        uids = client.search("ALL")
        for start in range(0, len(uids), 50):
            for fetched in client.fetch(uids[start : start + 50], ["BODY.PEEK[]", "INTERNALDATE"]).values():
                message = email.message_from_bytes(fetched[b"BODY[]"], policy=email.policy.default)
                body = message.get_body(("plain",))
                assert body is not None
                body.get_content()


def test_late_turn_against_early_turn(tmp_path: Path) -> None:
    place = house(tmp_path)
    tag = started(place, 9, limit=500, calm=0, hurricane=0)
    taken, logs = [], []
    for number in range(203):
        taken.append(_timed(place, tag, number))
        logs.append(_log_of_a_letter(place, tag))
    place.store.close()
    early, late = median(taken[3:8]), median(taken[198:203])
    print(f"\nturn 200 / turn 5 = {late / early:.2f}   (aim: the same, 1)")
    print(f"  {early * 1000:.1f} ms and {late * 1000:.1f} ms from lock to the rows of nine reports")
    early, late = median(logs[3:8]), median(logs[198:203])
    print(f"the log in a letter of turn 200 / of turn 5 = {late / early:.2f}   (aim: the same, 1)")


def _log_of_a_letter(place: House, tag: str) -> float:
    with place.look() as work:
        game = work.game(tag, lock=False)
        begin = time.perf_counter()
        logbook.file_for(work, game, "spain-1", game.seq - 10, game.seq)
        return time.perf_counter() - begin


def _timed(place: House, tag: str, number: int) -> float:
    begin = time.perf_counter()
    _play(place, tag, number)
    return time.perf_counter() - begin


def _play(place: House, tag: str, number: int) -> None:
    """Lock and resolve a turn nobody wrote for: all ships stand, so that 200 turns are as alike as can be."""
    with place.unit("bench") as work:
        turns.process(work, work.game(tag), number)
    resolving.resolve_due(place)
    place.clock.move(timedelta(minutes=1))  # type: ignore[attr-defined]


def test_reading_against_standard_parsing() -> None:
    mails = [sample.raw for sample in samples()]
    bare, ours = _fastest(lambda: [_parsed(raw) for raw in mails]), _fastest(lambda: [look(raw) for raw in mails])
    print(f"\nreading / parsing with the standard library, text decoded = {ours / bare:.2f}   (aim: at most 2)")
    print(f"  {ours / len(mails) * 1000:.2f} ms a mail against {bare / len(mails) * 1000:.2f}, {len(mails)} mails")
    small, large = _long_answer(64), _long_answer(1020)
    slope = _fastest(lambda: look(large)) / len(large) / (_fastest(lambda: look(small)) / len(small))
    print(f"a byte of a 1 MiB mail / a byte of a 64 KiB mail = {slope:.2f}   (aim: the same, 1)")


def _fastest(run: Callable[[], object]) -> float:
    """Return the processor time of the quickest of five runs, in seconds."""
    taken = []
    for _ in range(5):
        begin = time.process_time()
        run()
        taken.append(time.process_time() - begin)
    return min(taken)


def _parsed(raw: bytes) -> None:
    """Parse a mail and decode its text as a script without any promises would, but for giving up."""
    with suppress(*_RAISED):
        for part in BytesParser(policy=email.policy.default).parsebytes(raw).walk():
            if part.get_content_maintype() == "text":
                part.get_content()


_RAISED = (LookupError, ValueError, TypeError, AttributeError, IndexError)
"""What the standard library raises on some mails of the corpus."""


def _long_answer(kibibytes: int) -> bytes:
    """Return an answer of that size: own lines and three times as many of a quote, as people's programs write them."""
    own = "".join(f"пират {number}: A{number} - B{number}, потом копать клад до самого вечера\n" for number in range(3))
    quote = "".join(
        f"> строка {number} отчёта, который вы прислали, как её приводят почтовые программы\n" for number in range(9)
    )
    block = f"{own}\nпн, 3 нояб. 2025 г. в 10:00, Судья <judge@games.example>:\n\n{quote}\n"
    return raw_mail(block * (kibibytes * 1024 // len(block.replace("\n", "\r\n").encode())))
