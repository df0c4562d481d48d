"""A trained network as a policy: an observation or richer inputs in, a value for each of HLE's actions out."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import copy_items, kernel, record, record_reader
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.engine.randomness import random_real
from tamaya.engine.settings import Multicolour, Settings
from tamaya.engine.table import TABLE
from tamaya.game.hle.encoding import write_words
from tamaya.game.hle.layout import LAYOUT, count_moves, layout_of
from tamaya.game.hle.move_numbers import move_numbered
from tamaya.networks.inputs.move_history import TRACE, forget_all, trace_seen
from tamaya.networks.inputs.policy_inputs import INSIGHT, insight_of, write_insight, write_own
from tamaya.networks.json_weights import MOST_LAYERS
from tamaya.networks.npz_weights import PolicyNetwork, TowerNetwork, read_archive
from tamaya.networks.sparse_layers import filled_size, pack_layer, run_layers
from tamaya.networks.towers import pack_tower, run_tower, run_towers
from tamaya.policies.contract import EXCLUSIONS, policy

UNLIKELY = math.exp(-11)
"""How likely a move must be, compared with the likeliest one, for a search to consider it."""

FEWEST_AT_ONCE = 5
"""So many views are faster in one batch than one by one."""

DUET = Path(__file__).parent / "trained" / "duet.npz"
"""The network that comes with tamaya: two players, by ``tamaya learn ppo``."""

TEMPERATURE, SETTINGS = range(2)
"""The params of a network: its settings, a record, and the weights, two in each word."""

HEAD = record(
    **dict.fromkeys(Settings.__struct_fields__, "i8"),  # the game that it plays
    actions="i8",
    layers="i8",
    sizes=("i8", MOST_LAYERS + 2),  # of the inputs and of the layers, filled up
    is_tower="i8",
    has_value="i8",  # whether a value follows the outputs for the actions
    value_sizes=("i8", MOST_LAYERS + 2),  # of the tower that values positions
    first_value="i8",  # where its weights begin
    layouts=(LAYOUT, 1),
    insights=(INSIGHT, 1),
)
NOTED = record(
    is_noted="i8",  # 0 while the memory is empty
    **TRACE,
)
"""What has happened so far, as words of memory behind what conventions exclude."""

head_at, noted_at = record_reader(HEAD), record_reader(NOTED)
FIRST_WEIGHT = SETTINGS + HEAD.itemsize // 8
VARIANTS = get_args(Multicolour)


def pack(network: PolicyNetwork | TowerNetwork) -> np.ndarray:
    """A network as a row of words for kernels."""
    heads = np.zeros(1, HEAD)
    head: Any = heads[0]
    for name, value in msgspec.structs.asdict(network.game).items():
        head[name] = VARIANTS.index(value) if name == "multicolour" else value
    head.actions, head.layers = count_moves(network.game), len(network.layers)
    head.insights[:] = insight_of(network.game)
    if isinstance(network, TowerNetwork):
        head.is_tower, head.sizes[: len(network.sizes)] = 1, [*network.sizes[:-1], filled_size(network.sizes[-1])]
        head.value_sizes[:] = head.sizes
        head.value_sizes[0], head.value_sizes[head.layers] = head.insights[0].width, filled_size(1)
        policy, value = pack_tower(network.layers, network.norms), pack_tower(network.value_layers, network.value_norms)
        head.first_value = len(policy)
        return np.concatenate([heads.view(np.float64), policy.view(np.float64), value.view(np.float64)])
    head.layouts[:] = layout_of(network.game, network.observation)
    head.has_value = network.sizes[-1] > head.actions
    below, blocks = network.sizes[0], []
    head.sizes[0] = below
    for number, (biases, weights) in enumerate(network.layers, 1):
        blocks.append(pack_layer(biases, np.pad(weights, ((0, 0), (0, below - weights.shape[1])))))
        below = head.sizes[number] = filled_size(len(biases))
    return np.concatenate([heads.view(np.float64), *(block.view(np.float64) for block in blocks)])


def load_network(settings: Sequence[float], file: str) -> np.ndarray:
    """The network of a file as a row of words; without one, that of ``duet``."""
    return pack(read_archive(Path(file) if file else DUET))


def game_of(params: np.ndarray) -> Settings:
    """The game that a network plays."""
    head = params[SETTINGS:FIRST_WEIGHT].view(HEAD)[0]
    numbers = {name: int(head[name]) for name in Settings.__struct_fields__}
    flags = {name: bool(numbers[name]) for name in ("discard_at_limit", "empty_hints")}
    return Settings(**numbers | flags | {"multicolour": VARIANTS[numbers["multicolour"]]})  # type: ignore[arg-type]


def has_value(params: np.ndarray) -> bool:
    """Whether a network values positions too."""
    head = params[SETTINGS:FIRST_WEIGHT].view(HEAD)[0]
    return bool(head.is_tower or head.has_value)


@kernel
def open_trace(memory):
    """What has happened so far."""
    trace = noted_at(memory, EXCLUSIONS)
    if not trace.is_noted:
        forget_all(trace)
    return trace


@kernel
def note_move(view, mover, move, shown, memory, params):
    """Notes a move, which observations tell."""
    trace = open_trace(memory)
    trace_seen(trace, view, mover, move, shown)
    trace.is_noted = 1
    return 0


@kernel
def outputs_of(view, memory, params):
    """What the network says of a view: a value for each of HLE's actions, then that of the position if it has one."""
    head, trace, weights = head_at(params, SETTINGS), open_trace(memory), params[FIRST_WEIGHT:].view(np.float32)
    if head.is_tower:
        plan = head.insights[0]
        words, row = np.empty((plan.bits >> 6) + 2, np.int64), np.empty(plan.length, np.uint8)
        write_insight(row, words, view, view.unseen, trace, plan, view.seat)
        return run_tower(weights, head.sizes, head.layers, row)
    layout = head.layouts[0]
    words = np.empty((layout.length >> 6) + 2, np.int64)
    write_words(words, view, trace, layout, view.seat)
    return run_layers(weights, head.sizes, head.layers, words)


@kernel
def outputs_of_many(views, memory, params):
    """What the network says of some views, one row for each."""
    head, words = head_at(params, SETTINGS), len(memory) // len(views)
    weights, plan = params[FIRST_WEIGHT:].view(np.float32), head.insights[0]
    outputs = np.empty((len(views), head.sizes[head.layers]), np.float32)
    if not head.is_tower or len(views) < FEWEST_AT_ONCE:
        for number in range(len(views)):
            kept = memory[number * words : (number + 1) * words]
            copy_items(outputs[number], outputs_of(views[number], kept, params))
        return outputs
    bits, rows = np.empty((plan.bits >> 6) + 2, np.int64), np.empty((len(views), plan.length), np.uint8)
    for number in range(len(views)):
        view, trace = views[number], open_trace(memory[number * words : (number + 1) * words])
        write_insight(rows[number], bits, view, view.unseen, trace, plan, view.seat)
    run_towers(outputs, weights, head.sizes, head.layers, rows)
    return outputs


@kernel
def best_action(view, outputs, actions):
    """The legal move with the highest value."""
    moves, best, highest = legal_moves(view), NO_MOVE, np.float32(0.0)
    for number in range(actions):
        move = move_numbered(view, number)
        if contains(moves, move) and (best == NO_MOVE or outputs[number] > highest):
            best, highest = move, outputs[number]
    return best


@kernel
def write_chances(chances, view, outputs, actions, temperature):
    """Writes how likely each move is: a softmax of the values of the legal moves."""
    moves, highest = legal_moves(view), -np.inf
    for number in range(actions):
        if contains(moves, move_numbered(view, number)):
            highest = max(highest, outputs[number])
    total = 0.0
    for number in range(actions):
        move = move_numbered(view, number)
        if contains(moves, move):
            chances[move] = math.exp((outputs[number] - highest) / temperature)
            total += chances[move]
    for move in range(MOVES):
        chances[move] /= total


@kernel
def draw_move(chances, rng):
    """A random move, by the chances of all moves."""
    left, last = random_real(rng), NO_MOVE
    for move in range(MOVES):
        if chances[move] > 0:
            last, left = move, left - chances[move]
            if left < 0:
                break
    return last


@kernel
def predict(views, memory, chances, params):
    """Writes how likely each move is, at the network's temperature, or at 1 if it always makes the best move."""
    outputs, actions = outputs_of_many(views, memory, params), head_at(params, SETTINGS).actions
    temperature = params[TEMPERATURE] if params[TEMPERATURE] > 0 else 1.0
    for move in range(len(chances)):
        chances[move] = 0.0
    for number in range(len(views)):
        part = chances[number * MOVES : (number + 1) * MOVES]
        write_chances(part, views[number], outputs[number], actions, temperature)
    return 0


@kernel
def decide_by_values(view, outputs, params, rng):
    """The move with the highest value or, with a temperature, a random one."""
    actions = head_at(params, SETTINGS).actions
    if params[TEMPERATURE] == 0:
        return best_action(view, outputs, actions)
    chances = np.zeros(MOVES)
    write_chances(chances, view, outputs, actions, params[TEMPERATURE])
    return draw_move(chances, rng)


@kernel
def decide_together(views, memory, moves, params, rng):
    """Writes the moves for some views."""
    outputs = outputs_of_many(views, memory, params)
    for number in range(len(views)):
        moves[number] = decide_by_values(views[number], outputs[number], params, rng)
    return 0


@kernel
def value_together(worlds, memory, points, params):
    """Writes how many points some positions will still bring, by the tower that sees all hands, or by the value."""
    head, words, views = head_at(params, SETTINGS), len(memory) // len(worlds), np.empty(1, TABLE)
    if not head.is_tower:
        for number in range(len(worlds)):
            look(views, worlds[number : number + 1], worlds[number].seat)
            outputs = outputs_of(views[0], memory[number * words : (number + 1) * words], params)
            points[number] = outputs[head.actions] if head.has_value else 0.0
        return 0
    plan, weights = head.insights[0], params[FIRST_WEIGHT:].view(np.float32)
    found = np.empty((len(worlds), head.value_sizes[head.layers]), np.float32)
    bits, rows = np.empty((plan.bits >> 6) + 2, np.int64), np.empty((len(worlds), plan.width), np.uint8)
    for number in range(len(worlds)):
        world, trace = worlds[number], open_trace(memory[number * words : (number + 1) * words])
        look(views, worlds[number : number + 1], world.seat)
        write_insight(rows[number], bits, views[0], views[0].unseen, trace, plan, world.seat)
        write_own(rows[number], world, plan, world.seat)
    run_towers(found, weights[head.first_value :], head.value_sizes, head.layers, rows)
    for number in range(len(worlds)):
        points[number] = found[number, 0]
    return 0


@kernel
def likely_moves(view, memory, params):
    """The moves that are likely enough for a search to consider them, as a mask."""
    moves, chances, highest = np.int64(0), np.zeros(MOVES), 0.0
    write_chances(chances, view, outputs_of(view, memory, params), head_at(params, SETTINGS).actions, 1.0)
    for move in range(MOVES):
        highest = max(highest, chances[move])
    for move in range(MOVES):
        if chances[move] > UNLIKELY * highest:
            moves |= bit(move)
    return moves


@policy(
    memory=EXCLUSIONS + NOTED.itemsize // 8,
    observe=note_move,
    keeps=likely_moves,
    shares=True,
    weights=load_network,
    plays=game_of,
    predicts=predict,
    batches=decide_together,
    foresees=value_together,
    temperature=0,
)
def network(view, memory, params, rng):
    """Makes the move that a trained network values most; with a temperature, a random move by the softmax of values."""
    return decide_by_values(view, outputs_of(view, memory, params), params, rng)
