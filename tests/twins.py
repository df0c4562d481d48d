"""Deals that a seat cannot tell apart, for tests of what it is told."""

from tamaya.game.game import Game


def random_game(rng):
    """A game in which some moves were made at random, mostly hints, and the seat of somebody in it."""
    game = Game(rng.choice([2, 3, 4]), rng.randrange(10**6))
    for _ in range(rng.randrange(40)):
        legal = [move for move in game.legal_moves if not game.is_over]
        hints = [move for move in legal if move.kind > 1]
        if legal:
            game.push(rng.choice(hints if hints and rng.random() < 0.7 else legal))
    return game, rng.randrange(game.players)


def twin(game, seat, rng):
    """The same moves in a deal that differs only in what a seat cannot see: its own hand and the cards to come."""
    deck, first = game.deck, int(game.table.drawn)
    rest = list(range(first, len(deck)))
    for slot, order in enumerate(game.orders[seat]):
        fitting = [place for place in rest if deck[place] in game.possible[seat][slot]]
        if fitting:
            place = rng.choice(fitting)
            deck[order], deck[place] = deck[place], deck[order]
    order = rng.sample(rest, len(rest))
    deck[first:] = [deck[place] for place in order]
    other = Game(game.settings, deck=deck)
    for move in game.moves:
        other.push(move)
    return other
