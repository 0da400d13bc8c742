"""Campaigns of orders that make little sense: about what is there and what is not, in every order."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from random import Random

from engine.core.contract import MODERATOR, Order, Seat, Sheet
from engine.set_sail import commands as c
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import BIDS, DEVELOPMENTS, SetSailState

ROSTER = ("pirate-1", "pirate-2", "pirate-3")
ANYBODY = (*ROSTER, "nobody", "fort", "")
EFFECTS = (
    "luck:{s}{n}:@{w}",
    "damage:{n}:@{w}",
    "damage:{n}:terrible:@{w}",
    "heal:{k}:@{w}",
    "rep:{s}{n}:@{w}",
    "stat:der:{s}{n}:@{w}",
    "stat:nav:{s}{n}",
    "forward:+1:scene:@{w}",
    "ambush:{s}1:@fort:@{w}",
    "money:{s}{n}:@treasury",
    "money:{s}{n}:@{w}",
    "secret:+1:слово",
    "secret:-1:{k}",
    "exposed:{s}1:@fort:слово",
    "hole:{n}",
    "breakdown:deck",
    "wound:{k}:serious:@{w}",
    "wound:{k}:none:@{w}",
    "hull:{s}{n}",
    "chances:{s}{n}:crew",
    "clock:doom:{s}{n}",
    "harm:{n}:@fort",
    "fate:@{w}",
    "status:dead:@{w}",
    "status:active:@{w}",
    "trigger:ne_poyti_ko_dnu",
    "trigger:ugrozhat",
    "damage:?:@{w}",
    "no effect",
)


PUT = ("threat", "side", "prescription", "clock", "captain")


class Wild:
    """Makes orders by chance, of every class, about things that are there and things that are not."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def options(self) -> SetSailOptions:
        hints = typing.get_type_hints(SetSailOptions)
        fields = list(SetSailOptions.__struct_fields__)
        return SetSailOptions(**{name: self.chance.choice(typing.get_args(hints[name])) for name in fields})

    def often(self, share: float = 0.5) -> bool:
        return self.chance.random() < share

    def anybody(self) -> Seat:
        return self.chance.choice(ANYBODY)

    def effect(self) -> str:
        pick = self.chance
        who = pick.choice(ANYBODY[:4])
        return pick.choice(EFFECTS).format(s=pick.choice("+-"), n=pick.randint(1, 4), k=pick.randint(1, 3), w=who)

    def command(self, number: int) -> Order:
        pick, n = self.chance, number
        kinds = (
            lambda: c.DoEffect(number=n, effect=self.effect()),
            lambda: c.DoEffect(number=n, effect=self.effect()),
            lambda: c.Gate(
                number=n,
                what=pick.choice(("scene", "chapter", "battle", "passage", "carouse")),
                opens=self.often(),
                enemies=("fort",)[: pick.randint(0, 1)],
                floats=self.often(),
                new_shore=self.often(),
            ),
            lambda: c.OpenTalk(number=n, a=self.anybody(), b=self.anybody(), threat=self.often(), suitable_a=(1, 2, 3)),
            lambda: c.SealBid(number=n, talk=pick.randint(1, 4), value=pick.choice(BIDS), uses="слово", chance=True),
            lambda: c.CallCheck(number=n, seat=self.anybody(), stat="der", chance=True, move="razgulny_kutezh"),
            lambda: c.Conduct(number=n, seat=self.anybody(), article="a", kept=self.often()),
            lambda: c.Learn(number=n, seat=self.anybody(), who=self.anybody(), text="слово"),
            lambda: c.DropPlan(number=n, plan="p1"),
            lambda: c.Repair(number=n, what=pick.choice(("hull", "breakdown")), n=pick.randint(0, 5)),
            lambda: c.Develop(number=n, option=pick.choice(DEVELOPMENTS), card=pick.choice(("prochnye_parusa", ""))),
            lambda: c.Launch(number=n, name="К", nav=pick.randint(0, 4), hull=pick.randint(0, 7), ordered=self.often()),
            lambda: c.Launch(number=n, name=pick.choice(("", "Б")), moves=("cherny_flag",), bought=("nav",)),
            lambda: c.Hire(number=n, seat=self.anybody(), sheet=c.Enlist(post="кок", moves=("nothing_such",))),
            lambda: c.Hire(number=n, seat=self.anybody(), sheet=c.Enlist(der=5), luck=pick.choice((None, 0, 5))),
            lambda: c.Put(number=n, what=pick.choice(PUT), id="a", name="А"),
        )
        return pick.choice(kinds)()

    def moderator(self, state: SetSailState) -> Iterator[Order]:
        pick = self.chance
        yield from (self.command(number) for number in range(1, pick.randint(1, 6)))
        for one in state.decisions:
            yield c.Choose(key=one.key, options=pick.choice((("2",), ("-3",), ("player",), ())))
        for roll in state.rolls:
            yield c.Ruling(
                roll=roll.key,
                rolls=self.often(0.8),
                stat=pick.choice(("der", "fire", "")),
                move=pick.choice(("", "razgulny_kutezh", "palit_izo_vsekh_pushek", "nothing_such")),
                chance=self.often(0.4),
                gm_chance=self.often(0.3),
                enemy=pick.choice(("", "fort")),
                secrets=pick.choice((None, (1,), ())),
                veto=pick.choice(((), ("pirate-2",))),
            )
            effects = pick.choice((None, (self.effect(), self.effect())))
            yield c.Offer(roll=roll.key, trade=self.often(), effects=effects, veto=pick.choice(((), ROSTER[:2])))
        if self.often(0.2):
            yield c.StandingOffer()

    def player(self, state: SetSailState) -> Iterator[Order]:
        pick = self.chance
        yield c.Declare(
            number=pick.randint(1, 4), move=pick.choice(("ugrozhat", "razgulny_kutezh", "")), hidden=self.often(0.2)
        )
        yield c.Scheme(number=5, goal="цель", secrets=tuple(pick.sample(range(1, 6), 2)))
        yield c.TakePart(leader=self.anybody(), arrival=pick.randint(0, 3))
        yield c.Tale(text="байка")
        yield from (c.Spend(roll=roll.key, act=pick.choice(("luck", "help", "hinder"))) for roll in state.rolls)
        for one in state.decisions:
            yield pick.choice(
                (
                    c.AnswerTrade(key=one.key, take=self.often()),
                    c.TakeDamage(key=one.key, luck=pick.randint(-1, 5), place=pick.randint(0, 4)),
                    c.TakeHole(key=one.key, kind=pick.choice(("hole", "sails"))),
                    c.Choose(key=one.key, options=("player", "nav", "nothing")),
                    c.CrossOut(key=one.key, id=pick.randint(0, 6)),
                )
            )
        yield from (
            c.Bid(talk=one.number, value=pick.choice((*BIDS, "lot")), uses=pick.randint(0, 6)) for one in state.talks
        )
        words: tuple[Order, ...] = (
            c.StandingLuck(when=pick.choice(("band", "always", "never"))),
            c.StandingAid(whom=self.anybody(), most=pick.randint(0, 3)),
            c.StandingDamage(above=pick.randint(-1, 3)),
            c.StandingBreakdown(kind="sails"),
            c.StandingBids(values=("glory",)),
            c.StandingYield(give_up=self.often()),
            c.StandingTrade(take=self.often()),
        )
        yield from (word for word in words if self.often(0.15))

    def sheets(self, state: SetSailState) -> dict[Seat, Sheet]:
        """Return what everybody sends."""
        return {**{seat: tuple(self.player(state)) for seat in ROSTER}, MODERATOR: tuple(self.moderator(state))}
