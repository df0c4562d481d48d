"""The Hanabi Learning Environment: its settings, cards, move numbers, knowledge strings and observations."""

from tamaya.hle.conversions import (
    card_number,
    card_of,
    knowledge_of,
    legal_numbers,
    move_number,
    move_of,
    settings_of,
)
from tamaya.hle.layout import Section, count_moves, observation_length, sections
from tamaya.hle.observing import observation, packed_observation

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
