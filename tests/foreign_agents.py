"""Agents as users of other frameworks write them."""

from tamaya import make_agent


class LowestNumber:
    """An agent of the Hanabi Learning Environment that makes the legal move with the lowest number."""

    def __init__(self, config, *args, **kwargs):
        self.config = config
        self.observations = 0

    def act(self, observation):
        self.observations += 1
        if observation["current_player_offset"] != 0:
            assert observation["legal_moves"] == []
            return None
        return self.answer(observation)

    def answer(self, observation):
        return observation["legal_moves_as_int"][0]


class Telling(LowestNumber):
    """Plays what it was told the rank of, if a card of that rank comes next; tells others of such cards; discards."""

    def answer(self, observation):
        fireworks = observation["fireworks"]
        for index, hint in enumerate(observation["card_knowledge"][0]):
            if hint["rank"] is not None and hint["rank"] in fireworks.values() and hint["color"] is None:
                return {"action_type": "PLAY", "card_index": index}
        if observation["information_tokens"] > 0:
            for offset in range(1, observation["num_players"]):
                hands = zip(observation["observed_hands"][offset], observation["card_knowledge"][offset], strict=True)
                for card, hint in hands:
                    if card["rank"] == fireworks[card["color"]] and hint["rank"] is None:
                        return {"action_type": "REVEAL_RANK", "rank": card["rank"], "target_offset": offset}
        if observation["information_tokens"] < self.config["information_tokens"]:
            return {"action_type": "DISCARD", "card_index": 0}
        return observation["legal_moves"][-1]


class Wrong:
    def __init__(self, config):
        self.answer = config["answer"]

    def act(self, observation):
        return {"none": None, "dict": {"action_type": "JUMP"}, "number": 9999, "text": "PLAY"}[self.answer]


SEEN = []


def watching(game, player):
    """A bot of OpenSpiel that keeps what it is shown, and makes the last legal move."""
    import pyspiel

    class Watching(pyspiel.Bot):
        informed = 0

        def step(self, state):
            SEEN.append((player, state.clone(), self.informed))
            return state.legal_actions()[-1]

        def inform_action(self, state, player_id, action):
            assert state.current_player() == player_id
            assert action in state.legal_actions()
            self.informed += 1

    return Watching()


def information(game, player):
    """Our own agent, behind both bridges."""
    from tamaya.bridges.openspiel import AgentBot

    return AgentBot(make_agent("information"), player)


def illegal(game, player):
    import pyspiel

    class Illegal(pyspiel.Bot):
        def step(self, state):
            return 10_000

    return Illegal()
