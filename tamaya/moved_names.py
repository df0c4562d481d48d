"""Where the names are that programs imported from earlier versions; an import that fails says so."""

MOVED = {
    "tamaya.conventions": "tamaya.make_agent, which makes agents of all conventions by name",
    "tamaya.core": "tamaya.Settings, tamaya.knowledge, tamaya.moves and tamaya.randomness",
    "tamaya.evaluation": "tamaya.training",
    "tamaya.evolution": "tamaya.training, where Plan is EvolutionPlan",
    "tamaya.jit": "tamaya.kernel",
    "tamaya.learn.__main__": "tamaya learn goodman, or tamaya.training.run_plan",
    "tamaya.learn.course": "tamaya.ppo, where fitted is course_with",
    "tamaya.learn.practice": "tamaya.ppo, where begin is begin_training",
    "tamaya.learn.unpacking": "tamaya.ppo",
    "tamaya.policies": "tamaya.policy, tamaya.Policy and tamaya.PolicyError",
    "tamaya.policies.Policy": "tamaya.Policy",
    "tamaya.policies.PolicyError": "tamaya.PolicyError",
    "tamaya.policies.policy": "tamaya.policy",
    "tamaya.policies.seen_deck": "tamaya.knowledge.seen_deck",
    "tamaya.search": "tamaya.make_agent, which makes searches by name",
}
"""Names that the documentation used, with those that it uses now."""


def advice(name: str) -> str:
    """Says where a name is now; nothing if it has not moved."""
    return f"{name} has moved: use {MOVED[name]}" if name in MOVED else ""
