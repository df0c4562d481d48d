"""Hint classes: the hints to a seat, sorted so that one hint of each class can always be given.

All of this follows from public knowledge. The simple classes are rank hints and colour hints that touch the seat's
index card, and hints that do not. Where more can be told apart, there are packed classes: cards whose possible colours,
or ranks, are disjoint each guarantee a hint of their own.
"""

from tamaya.engine.cards import HINT_CARDS, contains, lowest_bit
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.settings import COLOURS
from tamaya.policies.conventions.public_knowledge import is_single

NO_CLASS = -1


@kernel
def possible_colours(view, cards):
    """The colours of the cards of a mask, as a mask of colours."""
    colours = 0
    for colour in range(view.suits):
        colours |= int(cards & HINT_CARDS[colour] != 0) << colour
    return colours


@kernel
def possible_ranks(view, cards):
    """The ranks of the cards of a mask, as a mask of ranks minus 1."""
    ranks = 0
    for rank in range(view.ranks):
        ranks |= int(cards & HINT_CARDS[COLOURS + rank] != 0) << rank
    return ranks


@kernel
def index_slot(public, view, seat):
    """The index card: the first of those about which most is unknown, ignoring dead cards."""
    best_slot, best = 0, -1
    for slot in range(public.counts[seat]):
        cards, score = public.possible[seat, slot], 0
        if not is_single(cards) and cards & ~view.useless:
            score = 1
            score += not is_single(possible_colours(view, cards))
            score += not is_single(possible_ranks(view, cards))
        if score > best:
            best_slot, best = slot, score
    return best_slot


@kernel
def is_told_apart(public, seat, first, end):
    """Whether it is public that no hint in a range touches every card of a seat."""
    for hint in range(first, end):
        touches_all = True
        for slot in range(public.counts[seat]):
            if not public.possible[seat, slot] & HINT_CARDS[hint]:
                touches_all = False
                break
        if touches_all:
            return False
    return True


@kernel
def may_be_all_alike(public, view, seat, count):
    """Whether the cards of a hand could all be the same."""
    common = view.all_cards
    for slot in range(count):
        common &= public.possible[seat, slot]
    return count <= 3 and common & view.unrevealed[count - 1] != 0


@kernel
def simple_classes(public, view, seat, is_colour_split, is_rank_split):
    """How many classes the index card alone provides; two where nothing else is certain."""
    count = public.counts[seat]
    if count == 0:
        return 0
    if view.wild_cards:
        return 2
    if is_colour_split and is_rank_split:
        return 4
    return 2 if may_be_all_alike(public, view, seat, count) else 3


@kernel
def pack_slots(public, view, seat, kind):
    """The largest number of cards with disjoint sets of possible colours (ranks for kind 1); writes those sets down."""
    count, most, best = public.counts[seat], 0, 0
    values, unions = public.values, public.unions
    for slot in range(count):
        cards = public.possible[seat, slot]
        values[slot] = possible_ranks(view, cards) if kind else possible_colours(view, cards)
    unions[0] = 0
    for subset in range(1, 1 << count):
        rest, value = unions[subset & (subset - 1)], values[lowest_bit(subset)]
        is_disjoint = rest >= 0 and not rest & value
        unions[subset] = rest | value if is_disjoint else -1
        if is_disjoint and popcount(subset) > most:
            most, best = popcount(subset), subset
    index = 0
    for slot in range(count):
        if contains(best, slot):
            public.sets[seat, kind, index] = values[slot]
            index += 1
    return most


@kernel
def find_classes(public, view, seat, packing):
    """The numbers of classes of hints to a seat: all, and if they are packed, those by colour and by rank.

    The last two numbers say whether these rest on disjoint sets rather than on the index card.
    """
    is_colour_split = is_told_apart(public, seat, 0, view.suits)
    is_rank_split = is_told_apart(public, seat, COLOURS, COLOURS + view.ranks)
    simple = simple_classes(public, view, seat, is_colour_split, is_rank_split)
    if not packing or simple == 0 or view.wild_cards:
        return simple, 0, 0, 0, 0
    colour_sets, rank_sets = pack_slots(public, view, seat, 0), pack_slots(public, view, seat, 1)
    colours, ranks = max(colour_sets, 1 + is_colour_split), max(rank_sets, 1 + is_rank_split)
    if colours + ranks <= simple:
        return simple, 0, 0, 0, 0
    return colours + ranks, colours, ranks, int(colour_sets >= colours), int(rank_sets >= ranks)


@kernel
def count_classes(public, view, seat, packing):
    """How many classes the hints to a seat fall into; computed once per turn."""
    if public.class_stamps[seat] != view.turn + 1:
        classes = find_classes(public, view, seat, packing)
        for index in range(len(classes)):
            public.classes[seat, index] = classes[index]
        public.class_stamps[seat] = view.turn + 1
    return int(public.classes[seat, 0])


@kernel
def class_of_hint(public, seat, hint, touches_index):
    """The class of a hint to a seat whose classes have been counted; NO_CLASS if it is in none."""
    row = public.classes[seat]
    total, colours, ranks, has_colour_sets, has_rank_sets = row[0], row[1], row[2], row[3], row[4]
    kind = int(hint >= COLOURS)
    if colours == 0:
        if touches_index:
            return 1 - kind
        return (3 - kind if total == 4 else 2) if total > 2 else NO_CLASS
    first, count = (colours, ranks) if kind else (0, colours)
    if has_rank_sets if kind else has_colour_sets:
        for index in range(count):
            if (public.sets[seat, kind, index] >> (hint - kind * COLOURS)) & 1:
                return first + index
        return NO_CLASS
    return first if count == 1 else first + 1 - touches_index
