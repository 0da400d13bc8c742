"""The life of a roll (page 1.6): declared, ruled, thrown, window, offer, trade, choices, applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.contract import MODERATOR, Choice, Question, Seat
from engine.set_sail.cards import BandText, Card
from engine.set_sail.commands import (
    Declare,
    Offer,
    Ruling,
    Scheme,
    Spend,
    StandingAid,
    StandingLuck,
    StandingOffer,
    StandingTrade,
    TakePart,
)
from engine.set_sail.effects import parse_effect
from engine.set_sail.events import (
    Aided,
    AidRefused,
    Declared,
    EffectsRuled,
    ExtraConsequence,
    Rolled,
    Ruled,
    TradeAnswered,
    TradeOffered,
    WindowClosed,
)
from engine.set_sail.rules import luck, scheming
from engine.set_sail.rules.carrying import aimed, carry
from engine.set_sail.rules.checks import band_of, consume, kept, mode_of, modifiers, throw, total_of
from engine.set_sail.rules.play import Play
from engine.set_sail.state import Aid, AidTally, Band, Decision, Modifier, Roll
from engine.set_sail.view import can_act, card_of, who_may_spend

REVEL: Final = "revel"
PAYS: Final[dict[str, int]] = {"full": 2, "partial": 1}
"""Luck for a success that becomes a failure (P8)."""


# Declared and ruled ---------------------------------------------------------------------------------------------------


def declare(play: Play) -> None:
    """Enter what was declared, seat by seat in roster order, and who takes part in whose scheme (P35, P36, A61)."""
    for seat in play.state.roster:
        if not can_act(play.state, seat):
            continue
        for order in play.sheets.get(seat, ()):
            if isinstance(order, Declare | Scheme):
                _enter(play, seat, order)
    joins = [(order.arrival, seat, order) for seat in play.state.roster for order in play.orders(seat, TakePart)]
    for _, seat, order in sorted(joins, key=lambda one: one[0]):
        _join(play, seat, order.leader)


def _enter(play: Play, seat: Seat, order: Declare | Scheme) -> None:
    key = f"{seat}/{order.slot}"
    if play.roll(key) is not None:  # a pending roll keeps its number; no reading lets a line have it
        return
    if isinstance(order, Scheme):
        roll = Roll(key=key, seat=seat, kind="scheme", stat="dal", goal=order.goal, secrets=order.secrets)
        audience = play.crew
    else:
        roll = Roll(
            key=key,
            seat=seat,
            move=order.move,
            stat=order.stat,
            wish_chance=order.chance,
            text=order.text,
            hidden=order.hidden,
        )
        audience = play.of_roll(roll)
    play.put_roll(roll)
    play.tell(
        Declared(
            rule="P4",
            audience=audience,
            about=(seat,),
            roll=key,
            seat=seat,
            move=roll.move,
            stat=roll.stat,
            text=roll.text,
            goal=roll.goal,
            secrets=roll.secrets,
        )
    )


def _join(play: Play, seat: Seat, leader: Seat) -> None:
    for roll in play.state.rolls:
        fits = roll.kind == "scheme" and roll.step == "declared" and leader in ("", roll.seat)
        if fits and seat != roll.seat and seat not in roll.helpers and can_act(play.state, seat):
            play.put_roll(replace(roll, helpers=(*roll.helpers, seat)))
            return


def rule(play: Play) -> None:
    """Rule every declaration and throw its dice, in the order of declarations (RULED, LOCKED, ROLLED)."""
    for roll in play.state.rolls:
        order = play.order(MODERATOR, Ruling, f"{roll.key}/ruling") if roll.step == "declared" else None
        if order is not None and play.has_pirate(roll.seat):
            _ruled(play, roll, order)
        elif roll.step == "declared" and not play.has_pirate(roll.seat):
            play.put_roll(replace(roll, step="applied"))


def _ruled(play: Play, roll: Roll, order: Ruling) -> None:
    move = order.move or roll.move
    card = card_of(play.state, move)
    revel = is_revel(play, card)
    stat = _stat_ruled(roll, order, card, revel=revel)
    roll = replace(roll, move=move, stat=stat, plan=order.plan, enemy=order.enemy, veto=order.veto)
    if roll.kind == "scheme":
        roll = replace(roll, secrets=scheming.fitting(play, roll, order.secrets))
    happens = not order.rolls and not revel
    if happens or (roll.kind == "scheme" and not roll.secrets):
        _just_happens(play, roll, card)
        return
    extra = [Modifier(what="card", n=order.bonus)]
    if roll.kind == "scheme":
        scheming.commit(play, roll.secrets)
        extra.append(Modifier(what="helpers", n=scheming.pay_helpers(play, roll)))
    takes_chances = card is None or "chance" in card.accepts
    roll = with_chances(
        play, roll, extra, chance=order.chance and takes_chances, gm_chance=order.gm_chance and takes_chances
    )
    ruled = Ruled(
        rule="P49",
        audience=play.of_roll(roll),
        roll=roll.key,
        seat=roll.seat,
        rolls=True,
        card=card.cited if card is not None else "",
        stat=roll.stat,
        mode=roll.mode,
    )
    play.tell(ruled)
    throw_for(play, roll, card, extra)


def is_revel(play: Play, card: Card | None) -> bool:
    """Say whether a card's move is rolled with reputation, and read by the bands of P48 (HB5, A55)."""
    return card is not None and card.tag == REVEL and play.state.options.hb_revel_roll == "on"


def _stat_ruled(roll: Roll, order: Ruling, card: Card | None, *, revel: bool) -> str:
    """Return the stat: reputation at a revel (HB5), foresight of a scheme, else as ruled, wished, or on the card."""
    if revel:
        return "rep"
    if roll.kind == "scheme":
        return "dal"
    if card is not None and card.roll.kind == "flat":
        return ""
    on_card = card.roll.stat if card is not None and isinstance(card.roll.stat, str) and card.roll.stat != "ask" else ""
    return order.stat or roll.stat or on_card


def _just_happens(play: Play, roll: Roll, card: Card | None) -> None:
    """Let a move without a check just happen (P2): what its card always brings is proposed."""
    cited = card.cited if card is not None else ""
    play.tell(Ruled(rule="P2", audience=play.of_roll(roll), roll=roll.key, seat=roll.seat, rolls=False, card=cited))
    _use(play, roll.seat, card)
    proposal = tuple(aimed(text, roll) for text in card.always.effects) if card is not None else ()
    play.put_roll(replace(roll, step="offer" if proposal else "applied", proposal=proposal))
    if proposal:
        offer_by_standing(play, roll.key)


def _use(play: Play, seat: Seat, card: Card | None) -> None:
    """Count a use of a card that has a number of them a scene (page 1.5)."""
    if card is not None and card.uses:
        play.set(used=(*play.state.used, f"{seat}/{card.id}"))


def with_chances(play: Play, roll: Roll, extra: list[Modifier], *, chance: bool, gm_chance: bool) -> Roll:
    """Spend chances, at most one a side, before the roll, and say how the dice are kept (P38, A43, A44)."""
    audience = play.of_roll(roll)
    crew = chance and scheming.spend_chance(play, roll.plan, "crew", roll.key, audience)
    gm = gm_chance and scheming.spend_chance(play, roll.plan, "gm", roll.key, audience)
    if crew and play.state.options.hb_chance_is_advantage == "off":
        extra.append(Modifier(what="chance", n=1))
    plan = scheming.plan_of(play, roll.plan) if crew or gm else None
    mode = mode_of(chance=crew, gm_chance=gm, options=play.state.options)
    return replace(roll, mode=mode, plan=plan.id if plan is not None else roll.plan)


def throw_for(play: Play, roll: Roll, card: Card | None, extra: Sequence[Modifier]) -> None:
    """Throw the dice of a check, ``anna/o3/main/0`` and so on, unless they lie, and open its window (P2, P3)."""
    pirate = play.pirate(roll.seat)
    slot = roll.key if roll.kind == "tie" else f"{roll.key}/main"
    faces = roll.faces or throw(play.dice, slot, roll.mode)
    parts = tuple(modifiers(play, pirate, roll, card, extra))
    roll = replace(roll, step="window", faces=faces, modifiers=parts)
    total = total_of(roll)
    roll = replace(roll, total=total, band=band_of(total))
    consume(play, pirate, card)
    _use(play, roll.seat, card)
    play.put_roll(roll)
    play.tell(
        Rolled(
            rule="P2",
            audience=play.of_roll(roll),
            about=(roll.seat,),
            roll=roll.key,
            seat=roll.seat,
            card=card.cited if card is not None else "",
            stat=roll.stat,
            faces=faces,
            kept=kept(faces, roll.mode),
            modifiers=parts,
            total=total,
            band=band_of(total),
        )
    )
    if all(_has_standing_word(play, roll, seat) for seat in waited_for(play, roll)):
        close_window(play, roll.key)


def open_set_off(play: Play) -> None:
    """Open the windows of moves that an outcome set off; their dice have fallen. One without a check just happens."""
    while (roll := next((one for one in play.state.rolls if _was_set_off(one)), None)) is not None:
        card = card_of(play.state, roll.move)
        if roll.faces:
            throw_for(play, roll, card, roll.modifiers)
        else:
            _just_happens(play, roll, card)


def _was_set_off(roll: Roll) -> bool:
    return roll.kind == "trigger" and roll.step == "declared"


# The window -----------------------------------------------------------------------------------------------------------


def waited_for(play: Play, roll: Roll) -> tuple[Seat, ...]:
    """Return the seats that could put luck into a roll (P6c, P6d, A4); of a scheme not those who took part (A42)."""
    return tuple([seat for seat in who_may_spend(play.state, roll) if seat not in roll.helpers])


def _has_standing_word(play: Play, roll: Roll, seat: Seat) -> bool:
    if seat == roll.seat:
        return play.order(seat, StandingLuck) is not None
    return any(word.whom in ("", roll.seat) for word in play.orders(seat, StandingAid))


def close_window(play: Play, key: str) -> None:
    """Take what was put into a roll, then standing words; the total is final (A2, A3, A8)."""
    roll = play.roll(key)
    if roll is None:
        return
    able = waited_for(play, roll)
    said = [(seat, play.order(seat, Spend, f"{key}/window")) for seat in able]
    _tell_unable(play, roll, able)
    given = [(seat, order) for seat, order in said if order is not None and order.act != "nothing"]
    refused = _refused_hinders(play, roll, {seat: order.how for seat, order in given if order.act == "hinder"})
    for seat, order in given:
        roll = _put_in(play, roll, seat, order, refused)
    decided = {seat for seat, order in said if order is not None}
    roll = _own_by_standing(play, roll, decided)
    for seat in waited_for(play, roll):
        if seat != roll.seat and seat not in decided:
            roll = _aid_by_standing(play, roll, seat)
    roll = replace(roll, total=total_of(roll), band=band_of(total_of(roll)))
    play.put_roll(roll)
    told = WindowClosed(
        rule="A8",
        audience=play.of_roll(roll),
        roll=key,
        seat=roll.seat,
        total=roll.total,
        band=band_of(roll.total),
        card=_cited(play, roll),
    )
    play.tell(told)
    if roll.kind == "tie":
        play.put_roll(replace(roll, step="decided"))
    else:
        _propose(play, roll)


def _tell_unable(play: Play, roll: Roll, able: Sequence[Seat]) -> None:
    """Tell whose luck went elsewhere in the same lock, or cannot go into this roll (A23)."""
    for seat in play.state.roster:
        order = play.order(seat, Spend, f"{roll.key}/window")
        if order is not None and order.act != "nothing" and seat not in able:
            told = AidRefused(rule="A23", audience=play.of_roll(roll), roll=roll.key, seat=seat, why="no-luck")
            play.tell(told)


def _cited(play: Play, roll: Roll) -> str:
    card = card_of(play.state, roll.move)
    return card.cited if card is not None else ""


def _refused_hinders(play: Play, roll: Roll, seats: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return whose hindering is not allowed, and why; under ``ask`` the hindered says (A5)."""
    rule_ = play.state.options.allow_hinder
    if rule_ == "yes" or not seats:
        return {}
    if rule_ == "no":
        return dict.fromkeys(seats, "not-allowed")
    asked = [
        Question(
            key=f"{roll.key}/hinder/{place}",
            seat=roll.seat,
            what="hinder",
            choices=(Choice(word="yes"), Choice(word="no")),
            default="no",
            facts={"by": seat, "roll": roll.key, "how": seats[seat]},
        )
        for place, seat in enumerate(seats)
    ]
    words = play.ask(*asked)
    return {seat: "not-allowed" for seat, word in zip(seats, words, strict=True) if word == "no"}


def _put_in(play: Play, roll: Roll, seat: Seat, order: Spend, refused: dict[Seat, str]) -> Roll:
    """Put a seat's luck into a roll: own +1, help or hindrance (P6c, P6d)."""
    card = card_of(play.state, roll.move)
    fits = (order.act == "luck") == (seat == roll.seat)
    accepts = card is None or {"luck": "own_luck"}.get(order.act, order.act) in card.accepts
    why = refused.get(seat, "") if order.act == "hinder" else ""
    if not fits or not accepts:
        why = why or "not-allowed"
    if why:
        play.tell(AidRefused(rule="A5", audience=play.of_roll(roll), roll=roll.key, seat=seat, why=why))
        return roll
    if order.act == "luck":
        luck.spend(play, seat, 1, "check", roll.key)
        return replace(roll, own=1)
    return _aid(play, roll, seat, 1 if order.act == "help" else -1, order.how)


def _aid(play: Play, roll: Roll, seat: Seat, n: int, how: str, *, lasting: bool = False) -> Roll:
    luck.spend(play, seat, 1, "help" if n > 0 else "hinder", roll.key)
    play.tell(Aided(rule="P6", audience=play.of_roll(roll), roll=roll.key, seat=seat, n=n, how=how))
    return replace(roll, aids=(*roll.aids, Aid(seat=seat, n=n, how=how, lasting=lasting)))


def _changes_band(roll: Roll) -> bool:
    return band_of(total_of(roll) + 1) != band_of(total_of(roll))


def _own_by_standing(play: Play, roll: Roll, decided: set[Seat]) -> Roll:
    """Spend own luck by a standing word, where it changes the band or always."""
    word = play.order(roll.seat, StandingLuck)
    if word is None or word.when == "never" or roll.seat in decided or roll.seat not in waited_for(play, roll):
        return roll
    if word.when == "band" and not _changes_band(roll):
        return roll
    luck.spend(play, roll.seat, 1, "check", roll.key)
    return replace(roll, own=1)


def _aid_by_standing(play: Play, roll: Roll, seat: Seat) -> Roll:
    """Help by a standing word, where it changes the band and the number it names is not used up."""
    word = next((one for one in play.orders(seat, StandingAid) if one.whom == roll.seat), None)
    card = card_of(play.state, roll.move)
    if word is None or not _changes_band(roll) or (card is not None and "help" not in card.accepts):
        return roll
    kept_ = next((one for one in play.state.aid if (one.seat, one.whom) == (seat, word.whom)), None)
    left = kept_.left if kept_ is not None and kept_.most == word.most else word.most
    if left < 1:
        return roll
    tally = AidTally(seat=seat, whom=word.whom, most=word.most, left=left - 1)
    play.set(aid=(*(one for one in play.state.aid if (one.seat, one.whom) != (seat, word.whom)), tally))
    return _aid(play, roll, seat, 1, word.how, lasting=True)


# Offer and trade ------------------------------------------------------------------------------------------------------


def _propose(play: Play, roll: Roll) -> None:
    """Propose what the card brings for the final band, and wait for the moderator, or for his standing word."""
    card = card_of(play.state, roll.move)
    texts = (*card.always.effects, *_band(card, roll.band).effects) if card is not None else ()
    play.put_roll(replace(roll, step="offer", proposal=tuple(aimed(text, roll) for text in texts)))
    offer_by_standing(play, roll.key)


def _band(card: Card, band: str) -> BandText:
    return card.band(band) if band else BandText()


def offer_by_standing(play: Play, key: str) -> None:
    """Take the proposal as it is where the moderator's standing word says so and no number is open."""
    roll = play.roll(key)
    if roll is None or play.order(MODERATOR, StandingOffer) is None:
        return
    if not any(parse_effect(text).unknown for text in roll.proposal):
        _offered(play, roll, Offer(roll=key))


def offers(play: Play, pending: Sequence[str]) -> None:
    """Carry out what the moderator says of rolls whose window was over when the turn opened (TRADE)."""
    for key in pending:
        order = play.order(MODERATOR, Offer, f"{key}/offer")
        roll = play.roll(key)
        if order is not None and roll is not None and roll.step == "offer":
            _offered(play, roll, order)


def _offered(play: Play, roll: Roll, order: Offer) -> None:
    """Offer a trade, or apply effects; what was proposed and what became of it are both recorded (P8, P49)."""
    was = roll.band
    roll = _vetoed(play, roll, order.veto)
    if roll.band != was:
        card = card_of(play.state, roll.move)
        texts = (*card.always.effects, *_band(card, roll.band).effects) if card is not None else ()
        roll = replace(roll, proposal=tuple(aimed(text, roll) for text in texts))
    effects = roll.proposal if order.effects is None else tuple(order.effects)
    told = EffectsRuled(
        rule="P49",
        audience=(MODERATOR,),
        roll=roll.key,
        seat=roll.seat,
        proposed=roll.proposal,
        applied=effects,
    )
    play.tell(told)
    if order.trade and roll.band in PAYS and not roll.traded and roll.kind != "tie":
        pays = PAYS[roll.band]
        play.put_roll(replace(roll, step="trade", proposal=effects))
        play.tell(TradeOffered(rule="P8", audience=play.of_roll(roll), roll=roll.key, seat=roll.seat, pays=pays))
        word = play.order(roll.seat, StandingTrade)
        if word is None:
            play.decide(Decision(key=f"{roll.key}/trade/0", seat=roll.seat, kind="trade", roll=roll.key, n=pays))
        else:
            answer_trade(play, roll.key, take=word.take, standing=True)
        return
    apply(play, roll, effects)


def _give_back(play: Play, seat: Seat, whom: Seat) -> None:
    """Count vetoed help off what a standing word has spent on somebody."""
    tallies = (
        replace(one, left=one.left + 1) if (one.seat, one.whom) == (seat, whom) else one for one in play.state.aid
    )
    play.set(aid=tuple(tallies))


def _vetoed(play: Play, roll: Roll, veto: tuple[Seat, ...]) -> Roll:
    """Give back the luck of those who cannot have affected a roll, and count anew (A4)."""
    for aid in roll.aids:
        if aid.seat in veto:
            luck.regain(play, aid.seat, 1, "veto", "A4")
            play.tell(AidRefused(rule="A4", audience=play.of_roll(roll), roll=roll.key, seat=aid.seat, why="veto"))
            if aid.lasting:
                _give_back(play, aid.seat, roll.seat)
    roll = replace(roll, aids=tuple(aid for aid in roll.aids if aid.seat not in veto))
    if roll.faces and not roll.traded:
        roll = replace(roll, total=total_of(roll), band=band_of(total_of(roll)))
    play.put_roll(roll)
    return roll


def answer_trade(play: Play, key: str, *, take: bool, standing: bool = False) -> None:
    """Take or refuse the trade; luck already spent on the roll is not given back (P8, A8, A9)."""
    roll = play.roll(key)
    if roll is None:
        return
    told = TradeAnswered(
        rule="P8",
        audience=play.of_roll(roll),
        roll=key,
        seat=roll.seat,
        taken=take,
        origin="policy" if standing else "seat",
    )
    play.tell(told)
    if not take:
        apply(play, roll, roll.proposal)
        return
    luck.regain(play, roll.seat, PAYS[roll.band], "trade", "P8", key)
    _propose(play, replace(roll, band="miss", traded=True))


# Effects and choices --------------------------------------------------------------------------------------------------


def apply(play: Play, roll: Roll, effects: Sequence[str]) -> None:
    """Carry out the effects of a roll, then ask for its choices; it is done when nobody owes one (APPLIED)."""
    play.put_roll(replace(roll, step="choice", proposal=()))
    if roll.kind == "scheme":
        scheming.lay(play, roll)
    for text in effects:
        carry(play, text, roll)
    _ask_choices(play, roll)
    finish(play, roll.key)


def finish(play: Play, key: str) -> None:
    """Be done with a roll that waits for no decision."""
    roll = play.roll(key)
    waits = any(one.roll == key for one in play.state.decisions)
    if roll is not None and roll.step == "choice" and not waits:
        play.put_roll(replace(roll, step="applied"))


def _ask_choices(play: Play, roll: Roll) -> None:
    """Ask for the options of the band: of the player or the moderator as the card says, of a revel by its band."""
    card = card_of(play.state, roll.move)
    if card is None or not roll.band:
        return
    if is_revel(play, card):
        _revel(play, roll, roll.band)
        return
    choose = _band(card, roll.band).choose
    if choose.n:
        by = roll.seat if choose.by == "player" else MODERATOR
        owe_choice(play, roll, by, choose.n, choose.from_ or options_of(play, card))


def options_of(play: Play, card: Card) -> tuple[str, ...]:
    """Return the options of a card, those of rigging on the ship that improves it among them."""
    own = [option.id for option in card.option]
    for one in play.state.cards:
        if one.modifies == card.id and one.id in play.state.ship.rigging:
            own += [f"{one.id}.{option.id}" for option in one.option]
    return tuple(own)


def owe_choice(play: Play, roll: Roll, seat: Seat, n: int, options: tuple[str, ...], about: str = "") -> None:
    """Let a seat choose so many options; of none there is nothing to choose."""
    if options and n:
        key = play.next_key(roll, "choice", roll.seat)
        play.decide(
            Decision(key=key, seat=seat, kind="choice", roll=roll.key, n=n, options=options, about=about or roll.move)
        )


def _revel(play: Play, roll: Roll, band: Band) -> None:
    """Say who chooses at a revel (P48): the player, whom he says, or the moderator and one consequence more (A54)."""
    if band == "partial":
        key = f"{roll.key}/revel/0"
        words = ("moderator", "player")
        play.decide(Decision(key=key, seat=roll.seat, kind="revel", roll=roll.key, options=words))
        return
    revel_chosen(play, roll, by_player=band == "full", extra=band == "miss")


def revel_chosen(play: Play, roll: Roll, *, by_player: bool, extra: bool) -> None:
    """Say who chooses at a revel, and whether the player picks one consequence more (P48)."""
    card = card_of(play.state, roll.move)
    told = ExtraConsequence(
        rule="P48",
        audience=play.of_roll(roll),
        roll=roll.key,
        seat=roll.seat,
        extra=extra,
        chooser="player" if by_player else "moderator",
    )
    play.tell(told)
    if card is None:
        return
    choose = card.full.choose
    options = choose.from_ or options_of(play, card)
    owe_choice(play, roll, roll.seat if by_player else MODERATOR, choose.n or 1, options)
    if extra:
        owe_choice(play, roll, roll.seat, 1, card.miss.choose.from_ or options, "extra")
