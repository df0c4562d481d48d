"""An agent in plain Python, at Python speed: cd examples && tamaya match patient:Patient --games 100."""

from tamaya import Kind, Move, View


class Patient:
    """Plays what is sure to be playable, tells about playable cards, else discards what is likeliest to be useless."""

    def act(self, view: View) -> Move:
        """The move for what the seat sees; a new object sits down for every game, so attributes are its memory."""
        for slot in range(len(view.hands[view.seat])):
            if view.probability_playable(slot) == 1:
                return Move.play(slot)
        if view.hint_tokens:
            for seat in range(view.players):
                for card, (colour, rank) in zip(view.hands[seat], view.hinted[seat], strict=True):
                    if card is not None and view.is_playable(card):
                        if rank is None:
                            return Move.tell_rank(seat, card.rank)
                        if colour is None:
                            return Move.tell_colour(seat, card.colour)
        discards = [move for move in view.legal_moves if move.kind is Kind.DISCARD]
        if discards:
            return max(discards, key=lambda move: view.probability_useless(move.target))
        return view.random.choice([move for move in view.legal_moves if move.kind is not Kind.PLAY])
