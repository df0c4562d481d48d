"""Players with conventions: codes in which hints and discards tell more than they say literally.

In reading order:

- ``public_knowledge``: what everybody at the table can conclude about every card
- ``own_hand``: what a seat knows of its own cards, and which one it plays first
- ``hint_codes``, ``hint_classes``: how a hint spells a number
- ``confidence``: the confidence player of Bouzy
- ``recomprog``, ``hat_recommendation``, ``hat_information``: the hat players of Cox et al. and of Bouzy
- ``hats``, ``questions``, ``information_code``, ``information``: the information player of hanabi.rs, made stronger
- ``smartbot_conventions``, ``smartbot``: the conventions of SmartBot, and its player
- ``self_recognition``: Osawa's player
"""
