"""Files of large networks: numpy's archives, with the game that a network plays and how it was made as JSON.

An archive has ``header``, the bytes of the JSON, and for each layer ``biases_1`` and ``weights_1``, [output, input],
and so on, as reals of 32 or 16 bits. Towers (see towers.py) have ``scales_1`` and ``shifts_1`` too, for each layer but
the last, and a second tower whose names begin with ``value_``. An archive is read without pickle.
"""

import io
import itertools
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from tamaya.engine.files import content_of
from tamaya.engine.settings import Settings
from tamaya.engine.text import in_words
from tamaya.game.hle.layout import SEER, check_type, count_moves, observation_length
from tamaya.networks.inputs.policy_inputs import insight_of
from tamaya.networks.json_weights import LARGEST_WEIGHT, WeightsError, check_hidden
from tamaya.networks.sparse_layers import VECTOR

FORMAT, TOWERS = "tamaya policy network 1", "tamaya policy network 2"
LARGEST_FILE = 256 << 20
"""The bytes of a file at most, and of what is compressed in it."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a network is for and how it was made: the game, the observation, the sizes of the inputs and layers."""

    format: str
    game: Settings
    observation: str
    sizes: list[int]
    made: dict[str, Any] = {}


Arrays = list[tuple[np.ndarray, np.ndarray]]
"""Two arrays for each layer: biases and weights, [output, input], or scales and shifts."""


class PolicyNetwork(msgspec.Struct, frozen=True):
    """A network that gives a value for each of HLE's actions and, if it has one more output, one for the position.

    Of its layers, all but the last are rectified. The value of a position is in points still to come.
    """

    game: Settings
    layers: Arrays
    observation: str = "card_knowledge"
    made: dict[str, Any] = {}

    @property
    def sizes(self) -> list[int]:
        """The numbers of inputs, of the neurons of each layer, and of outputs."""
        return sizes_of(self.layers)

    def write(self, path: Path) -> None:
        """Writes a file that is not there yet."""
        header = Header(FORMAT, self.game, self.observation, self.sizes, self.made)
        write_arrays(path, checked(header), numbered_arrays(self.layers, "biases", "weights"))


class TowerNetwork(msgspec.Struct, frozen=True):
    """A policy, which gives a value for each of HLE's actions, and the value of a position with all hands seen."""

    game: Settings
    layers: Arrays
    norms: Arrays
    value_layers: Arrays
    value_norms: Arrays
    made: dict[str, Any] = {}

    @property
    def sizes(self) -> list[int]:
        """The numbers of inputs of the policy, of the neurons of each layer, and of outputs."""
        return sizes_of(self.layers)

    def write(self, path: Path) -> None:
        """Writes a file that is not there yet."""
        write_arrays(path, self.header(), self.arrays())

    def save(self, file: BinaryIO) -> None:
        """Writes an open file."""
        save_arrays(file, self.header(), self.arrays())

    def header(self) -> Header:
        """What the towers are for and how they were made."""
        return checked(Header(TOWERS, self.game, "insight", self.sizes, self.made))

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of both towers by name."""
        policy = numbered_arrays(self.layers, "biases", "weights") | numbered_arrays(self.norms, "scales", "shifts")
        value = numbered_arrays(self.value_layers, "value_biases", "value_weights")
        return policy | value | numbered_arrays(self.value_norms, "value_scales", "value_shifts")


def sizes_of(layers: Arrays) -> list[int]:
    """The numbers of inputs, of the neurons of each layer, and of outputs."""
    return [layers[0][1].shape[1], *(len(biases) for biases, _ in layers)]


def numbered_arrays(arrays: Arrays, first: str, second: str) -> dict[str, np.ndarray]:
    """The arrays of some layers by name."""
    numbered = list(enumerate(arrays, 1))
    return {f"{name}_{number}": pair[place] for number, pair in numbered for place, name in enumerate((first, second))}


def write_arrays(path: Path, header: Header, arrays: dict[str, np.ndarray]) -> None:
    """Writes a file that is not there yet."""
    with path.open("xb") as file:
        save_arrays(file, header, arrays)


def save_arrays(file: BinaryIO, header: Header, arrays: dict[str, np.ndarray]) -> None:
    """Writes an archive with a header."""
    np.savez(file, header=np.frombuffer(msgspec.json.encode(header), np.uint8), **arrays)  # type: ignore[arg-type]


def checked(header: Header) -> Header:
    """A header, if nothing is wrong with it."""
    check_header(header)
    return header


def check_header(header: Header) -> None:
    """Raises what is wrong with a header."""
    if header.format not in (FORMAT, TOWERS):
        raise WeightsError(f"its format is {header.format!r}, not {FORMAT!r} or {TOWERS!r}")
    if header.format == TOWERS:
        check_towers(header)
        return
    if check_type(header.observation) == SEER:
        raise WeightsError("it was trained with observations of type seer, which show a player its own cards")
    if len(header.sizes) < 3:
        raise WeightsError("it must have a hidden layer")
    check_hidden(header.sizes[1:-1])
    inputs, actions = observation_length(header.game, header.observation), count_moves(header.game)
    if header.sizes[0] != inputs:
        raise WeightsError(f"it has {header.sizes[0]:,} inputs; the observations of its game have {inputs:,} bits")
    if header.sizes[-1] not in (actions, actions + 1):
        raise WeightsError(f"it has {header.sizes[-1]} outputs; its game has {actions} actions, and a value may follow")


def check_towers(header: Header) -> None:
    """Raises what is wrong with the header of towers."""
    if header.observation != "insight" or len(header.sizes) < 3:
        raise WeightsError("towers have a hidden layer, and inputs of type insight")
    check_hidden(header.sizes[1:-1])
    wanted = (int(insight_of(header.game)[0].length), count_moves(header.game))
    if (header.sizes[0], header.sizes[-1]) != wanted:
        words = f"it has {header.sizes[0]:,} inputs and {header.sizes[-1]} outputs"
        raise WeightsError(f"{words}; towers of its game have {wanted[0]:,} and {wanted[1]}")
    if any(size % VECTOR for size in header.sizes[1:-1]):
        raise WeightsError(f"the layers of towers have a multiple of {VECTOR} neurons")


def array_in(archive: Any, name: str) -> np.ndarray:
    """An array of an archive, which may hold other things under its name."""
    found = archive[name]
    if not isinstance(found, np.ndarray):
        raise WeightsError(f"its {name} is not an array of numpy")
    return found


def check_array(archive: Any, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a file, if it has the right shape and usable numbers."""
    array = array_in(archive, name)
    if array.dtype not in (np.float32, np.float16):
        raise WeightsError(f"{name} must be reals of 32 or 16 bits, not {array.dtype}")
    if array.shape != shape:
        raise WeightsError(f"{name} is of shape {array.shape}, not {shape}")
    single = array.astype(np.float32)
    if not np.abs(single).max() < LARGEST_WEIGHT:
        raise WeightsError(f"some of the numbers of {name} are not usable")
    return single


def read_pairs(archive: Any, names: tuple[str, str], sizes: list[int]) -> Arrays:
    """Two arrays of each layer: biases and weights, or scales and shifts, which are as many as the neurons."""
    pairs = []
    for number, (below, size) in enumerate(itertools.pairwise(sizes), 1):
        shape = (size, below) if names[1].endswith("weights") else (size,)
        first = check_array(archive, f"{names[0]}_{number}", (size,))
        pairs.append((first, check_array(archive, f"{names[1]}_{number}", shape)))
    return pairs


def towers_of(header: Header, archive: Any) -> TowerNetwork:
    """The towers of an archive."""
    width, hidden = int(insight_of(header.game)[0].width), header.sizes[1:-1]
    return TowerNetwork(
        header.game,
        read_pairs(archive, ("biases", "weights"), header.sizes),
        read_pairs(archive, ("scales", "shifts"), header.sizes[:-1]),
        read_pairs(archive, ("value_biases", "value_weights"), [width, *hidden, 1]),
        read_pairs(archive, ("value_scales", "value_shifts"), [width, *hidden]),
        header.made,
    )


def parse_archive(content: bytes) -> PolicyNetwork | TowerNetwork:
    """The network of a file's content."""
    try:
        entries = zipfile.ZipFile(io.BytesIO(content)).infolist()
        if sum(entry.file_size for entry in entries) > LARGEST_FILE:
            raise WeightsError(f"it is too large, with more than {LARGEST_FILE:,} bytes")
        archive = np.lib.npyio.NpzFile(io.BytesIO(content), allow_pickle=False)
        header = checked(msgspec.json.decode(array_in(archive, "header").tobytes(), type=Header))
        if header.format == TOWERS:
            return towers_of(header, archive)
        layers = read_pairs(archive, ("biases", "weights"), header.sizes)
    except WeightsError:
        raise
    except (msgspec.DecodeError, RecursionError) as error:
        raise WeightsError(f"its header cannot be used: {in_words(error)}") from error
    except Exception as error:  # whatever numpy and zipfile raise for a file that is broken, or not theirs
        words = error.args[0] if isinstance(error, KeyError) else error  # as a text, a KeyError is in quotes
        raise WeightsError(f"it is not an archive of weights, or not a whole one: {words}") from error
    return PolicyNetwork(header.game, layers, header.observation, header.made)


def read_archive(path: Path) -> PolicyNetwork | TowerNetwork:
    """The network of a file."""
    try:
        return parse_archive(content_of(path, LARGEST_FILE))
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WeightsError(f"{path} cannot be used: {error}") from error
