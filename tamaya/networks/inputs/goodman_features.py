"""The 38 features of Goodman's evaluation function: what the seat to move knows of the table, and of a move."""

from tamaya.engine.card_counts import counted
from tamaya.engine.cards import HINT_CARDS, bit, colour_of, contains, lowest_bit, rank_of
from tamaya.engine.gameplay import give_hint
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import critical_cards, deck_left, hand_count, next_seat
from tamaya.engine.moves import DISCARD, TELL, hint_of, target_of
from tamaya.engine.settings import COLOURS, RANKS, SEATS

OF_A_PLAYER = ("PLAYABLE", "PLAYABLE_PLUS_ONE", "DISCARDABLE", "INFORMATION")
OF_A_MOVE = (
    "PLAY_CARD",
    "PLAY_PLAYABLE",
    "PLAY_COMPLETES_COLOUR",
    "DISCARD_CARD",
    "DISCARD_IS_USELESS",
    "DISCARD_IS_LAST_OF_USEFUL_PAIR",
    "DISCARD_POINTS_FOREGONE",
)
FEATURES = (
    *("SCORE", "INFORMATION", "LIVES", "DECK_LEFT"),
    *(f"PLAYER_{player}_{name}" for player in range(1, SEATS + 1) for name in OF_A_PLAYER),
    *OF_A_MOVE,
    *("MOVES_LEFT", "UNAVAILABLE_POINTS"),
    *(f"{rank}_ON_TABLE" for rank in ("FIVES", "FOURS", "THREES", "TWOS", "ONES")),
)
"""In the order, and under the names, of the published code; player 1 is the seat to move, 2 the next one."""

STATE_FEATURES = tuple(name for name in FEATURES if name not in OF_A_MOVE)
"""Those that do not depend on the move."""

FIRST_PLAYER, FIRST_OF_MOVE, AFTER_MOVE = 4, 24, 31
TOKENS = 1
MOST_LIVES = 3.0


@kernel
def unseen_by(view, seat):
    """The cards that a seat has not seen as far as the viewer knows, as planes; its own hand is among them."""
    planes = (view.unseen[0], view.unseen[1], view.unseen[2])
    if seat != view.seat:
        for slot in range(hand_count(view, seat)):
            planes = counted(planes, bit(view.hands[seat, slot]))
    return planes


@kernel
def count_in(planes, cards):
    """How many copies of the cards of a mask there are in three planes."""
    one, two, three = planes
    return popcount(one & cards) + popcount(two & cards) + popcount(three & cards)


@kernel
def believed_cards(view, seat, slot, planes, convention):
    """What the holder takes a card for: what hints leave; by the convention, a card touched alone is playable."""
    cards = view.knowledge[seat, slot]
    if convention and contains(view.singled[seat], slot):
        playable = cards & view.playable
        if playable & planes[0]:
            return playable
    return cards


@kernel
def known_share(cards):
    """How much is known of a card that can be any of a mask: half for its colour, half for its rank."""
    first = lowest_bit(cards)
    has_colour = not cards & ~HINT_CARDS[colour_of(first)]
    has_rank = not cards & ~HINT_CARDS[COLOURS + rank_of(first) - 1]
    return 0.5 * has_colour + 0.5 * has_rank


@kernel
def almost_playable(view):
    """The cards that can be played once the next card of their colour is, as a mask."""
    return ((view.playable & view.unrevealed[0]) << 1) & ~HINT_CARDS[COLOURS] & view.all_cards


@kernel
def completing_cards(view):
    """The playable cards that complete their colour, which cannot grow after them, as a mask."""
    top = HINT_CARDS[COLOURS + view.ranks - 1]
    return view.playable & (top | ~(view.unrevealed[0] >> 1))


@kernel
def write_player(features, first, view, seat, convention):
    """Writes how likely a player's likeliest card is to be playable, almost playable and useless; and what it knows."""
    planes, almost, count = unseen_by(view, seat), almost_playable(view), hand_count(view, seat)
    playable, soon, useless, known = 0.0, 0.0, 0.0, 0.0
    for slot in range(count):
        cards = believed_cards(view, seat, slot, planes, convention)
        copies = max(1, count_in(planes, cards))
        playable = max(playable, count_in(planes, cards & view.playable) / copies)
        soon = max(soon, count_in(planes, cards & almost) / copies)
        useless = max(useless, count_in(planes, cards & view.useless) / copies)
        known += known_share(view.knowledge[seat, slot])
    features[first], features[first + 1], features[first + 2] = playable, soon, useless
    features[first + 3] = known / max(1, count)


@kernel
def write_table(features, view):
    """Writes what everybody sees."""
    points = view.suits * view.ranks
    features[0] = view.score / points
    features[TOKENS] = view.hint_tokens / max(1, view.max_tokens)
    features[2] = view.lives / MOST_LIVES
    features[3] = deck_left(view) / max(1, view.deck_size - view.players * view.hand_size)
    features[AFTER_MOVE] = view.turns_left / view.players
    features[AFTER_MOVE + 1] = (popcount(view.useless & view.all_cards) - view.score) / points
    for rank in range(1, RANKS + 1):
        begun = 0
        for colour in range(view.suits):
            begun += view.fireworks[colour] >= rank
        features[len(FEATURES) - rank] = begun / view.suits


@kernel
def write_state(features, view, convention):
    """Writes the features of a view; those of a move, and of players who are not there, are 0."""
    features[:] = 0.0
    write_table(features, view)
    for offset in range(view.players):
        first = FIRST_PLAYER + offset * len(OF_A_PLAYER)
        write_player(features, first, view, next_seat(view, offset), convention)


@kernel
def points_foregone(view, card):
    """The points that can no longer be made without a card: those of its colour from its rank on."""
    above = HINT_CARDS[colour_of(card)] & ~(bit(card) - 1)
    return popcount(above & view.all_cards & ~view.useless)


@kernel
def write_play(features, view, slot, convention):
    """Writes how likely the card of a slot is to be playable, and to complete its colour."""
    planes = unseen_by(view, view.seat)
    cards = believed_cards(view, view.seat, slot, planes, convention)
    copies = max(1, count_in(planes, cards))
    features[FIRST_OF_MOVE] = 1.0
    features[FIRST_OF_MOVE + 1] = count_in(planes, cards & view.playable) / copies
    features[FIRST_OF_MOVE + 2] = count_in(planes, cards & completing_cards(view)) / copies


@kernel
def write_discard(features, view, slot, convention):
    """Writes how likely the card of a slot is to be useless, or the last of its kind, and the points then foregone."""
    planes, points = unseen_by(view, view.seat), 0
    cards = believed_cards(view, view.seat, slot, planes, convention)
    copies = max(1, count_in(planes, cards))
    last = cards & critical_cards(view) & planes[0]
    features[FIRST_OF_MOVE + 3] = 1.0
    features[FIRST_OF_MOVE + 4] = count_in(planes, cards & view.useless) / copies
    features[FIRST_OF_MOVE + 5] = popcount(last) / copies
    while last:
        points += points_foregone(view, lowest_bit(last))
        last &= last - 1
    features[FIRST_OF_MOVE + 6] = points / copies


@kernel
def write_hint(features, after, view, move, convention):
    """Writes what a hint changes: the tokens, and what its receiver knows. The view after it stands in ``after``."""
    target = target_of(view, move)
    after[0] = view
    give_hint(after[0], target, hint_of(move))
    offset = (target - view.seat + view.players) % view.players
    features[TOKENS] = after[0].hint_tokens / max(1, view.max_tokens)
    write_player(features, FIRST_PLAYER + offset * len(OF_A_PLAYER), after[0], target, convention)


@kernel
def write_move(features, state, after, view, move, convention):
    """Writes the features of a move at a view, of which those of the state are known."""
    for index in range(len(features)):
        features[index] = state[index]
    if move >= TELL:
        write_hint(features, after, view, move, convention)
    elif move >= DISCARD:
        write_discard(features, view, move - DISCARD, convention)
    else:
        write_play(features, view, move, convention)
