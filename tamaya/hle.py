"""The Hanabi Learning Environment: its settings, cards, move numbers, knowledge strings and observations."""

from tamaya.game.hle.conversions import knowledge_of, legal_numbers, settings_of
from tamaya.game.hle.layout import Section, count_moves, observation_length, sections
from tamaya.game.hle.move_numbers import card_number, card_of, move_number, move_of
from tamaya.game.hle.observation import observation, packed_observation

__all__ = [
    "Section",
    "card_number",
    "card_of",
    "count_moves",
    "knowledge_of",
    "legal_numbers",
    "move_number",
    "move_of",
    "observation",
    "observation_length",
    "packed_observation",
    "sections",
    "settings_of",
]
