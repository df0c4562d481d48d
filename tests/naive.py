"""A slow, obvious Hanabi: the twin that the fast engine is compared with. It shares no code with it."""

import itertools
from dataclasses import dataclass, field


@dataclass
class NaiveCard:
    colour: int
    rank: int
    order: int
    colours: set[int]
    ranks: set[int]
    told: set[tuple[str, int]] = field(default_factory=set)


class NaiveHanabi:
    """The rules, spelled out. Moves are ("play", slot), ("discard", slot), ("colour" | "rank", seat, value)."""

    def __init__(self, settings, deck):
        self.settings = settings
        self.deck = list(deck)
        self.drawn = 0
        self.wild = settings.suits - 1 if settings.multicolour == "wild" else None
        self.hands = [[self.draw() for _ in range(settings.hand_size)] for _ in range(settings.players)]
        self.fireworks = [0] * settings.suits
        self.discards = []
        self.tokens = settings.hint_tokens
        self.lives = settings.lives
        self.seat = 0
        self.moves_after_deck = 0
        self.turn = 0
        self.singled = set()

    def draw(self):
        colour, rank = self.deck[self.drawn]
        self.drawn += 1
        colours, ranks = set(range(self.settings.suits)), set(range(1, self.settings.ranks + 1))
        return NaiveCard(colour, rank, self.drawn - 1, colours, ranks)

    @property
    def score(self):
        return sum(self.fireworks)

    @property
    def is_over(self):
        everything_played = self.score == self.settings.suits * self.settings.ranks
        return self.lives == 0 or everything_played or self.moves_after_deck == self.settings.players

    def touches(self, kind, value, card):
        if kind == "rank":
            return card.rank == value
        return card.colour == value or card.colour == self.wild

    def legal_moves(self):
        moves = [("play", slot) for slot in range(len(self.hands[self.seat]))]
        if self.tokens < self.settings.hint_tokens or self.settings.discard_at_limit:
            moves += [("discard", slot) for slot in range(len(self.hands[self.seat]))]
        hints = [("colour", colour) for colour in range(self.settings.suits) if colour != self.wild]
        hints += [("rank", rank) for rank in range(1, self.settings.ranks + 1)]
        for seat, (kind, value) in itertools.product(range(self.settings.players), hints):
            touched = any(self.touches(kind, value, card) for card in self.hands[seat])
            if seat != self.seat and self.tokens > 0 and (touched or self.settings.empty_hints):
                moves.append((kind, seat, value))
        return moves

    def move(self, move):
        assert move in self.legal_moves()
        deck_was_empty = self.drawn == len(self.deck)
        if move[0] in ("play", "discard"):
            self.use(*move)
        else:
            self.tell(*move)
        if deck_was_empty:
            self.moves_after_deck += 1
        self.turn += 1
        self.seat = (self.seat + 1) % self.settings.players

    def use(self, kind, slot):
        card = self.hands[self.seat].pop(slot)
        if kind == "play":
            self.singled = set()
        if kind == "discard":
            self.discards.append((card.colour, card.rank))
            self.tokens = min(self.tokens + 1, self.settings.hint_tokens)
        elif card.rank == self.fireworks[card.colour] + 1:
            self.fireworks[card.colour] = card.rank
            if card.rank == self.settings.ranks:
                self.tokens = min(self.tokens + 1, self.settings.hint_tokens)
        else:
            self.discards.append((card.colour, card.rank))
            self.lives -= 1
        if self.drawn < len(self.deck) and not self.is_over:
            self.hands[self.seat].append(self.draw())

    def tell(self, kind, seat, value):
        self.tokens -= 1
        for card in self.hands[seat]:
            told = {value, self.wild} - {None} if kind == "colour" else {value}
            possible = card.colours if kind == "colour" else card.ranks
            if self.touches(kind, value, card):
                possible &= told
                card.told.add((kind, value))
            else:
                possible -= told

        touched = [card for card in self.hands[seat] if self.touches(kind, value, card)]
        if len(touched) == 1 and seat == (self.seat + 1) % self.settings.players:
            self.singled.add(touched[0].order)

    def copies_left(self, colour, rank):
        """Copies neither played nor discarded."""
        played = self.fireworks[colour] >= rank
        return self.deck.count((colour, rank)) - self.discards.count((colour, rank)) - played

    def is_playable(self, colour, rank):
        return self.fireworks[colour] + 1 == rank

    def is_useless(self, colour, rank):
        top = self.fireworks[colour]
        return rank <= top or any(self.copies_left(colour, lower) == 0 for lower in range(top + 1, rank + 1))

    def unseen_by(self, seat):
        """The cards in the deck and in the player's own hand, with their copies."""
        unseen = [(colour, rank) for colour, rank in self.deck[self.drawn :]]
        return unseen + [(card.colour, card.rank) for card in self.hands[seat]]
