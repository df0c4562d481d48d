"""Files of large networks: numpy's archives, with the game that a network plays and how it was made as JSON.

An archive has ``header``, the bytes of the JSON, and for each layer ``biases_1`` and ``weights_1``, [output, input],
and so on, as reals of 32 or 16 bits. It is read without pickle.
"""

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.core.content import content_of
from tamaya.core.settings import Settings
from tamaya.core.spelling import in_words
from tamaya.evaluation.weights import LARGEST_WEIGHT, WeightsError, check_hidden
from tamaya.hle.layout import SEER, check_type, count_moves, observation_length

FORMAT = "tamaya policy network 1"
LARGEST_FILE = 256 << 20
"""The bytes of a file at most, and of what is compressed in it."""

BROKEN = (ValueError, KeyError, OSError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What numpy and zipfile raise for a file that is broken, or not theirs."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a network is for and how it was made: the game, the observation, the sizes of the inputs and layers."""

    format: str
    game: Settings
    observation: str
    sizes: list[int]
    made: dict[str, Any] = {}


class PolicyNetwork(msgspec.Struct, frozen=True):
    """A network that gives a value for each of HLE's actions and, if it has one more output, one for the position.

    Of its layers, all but the last are rectified. The value of a position is in points still to come.
    """

    game: Settings
    layers: list[tuple[np.ndarray, np.ndarray]]
    """The biases and the weights, [output, input], of each."""
    observation: str = "card_knowledge"
    made: dict[str, Any] = {}

    @property
    def sizes(self) -> list[int]:
        """The numbers of inputs, of the neurons of each layer, and of outputs."""
        return [self.layers[0][1].shape[1], *(len(biases) for biases, _ in self.layers)]

    def write(self, path: Path) -> None:
        """Writes a file that is not there yet."""
        header = Header(FORMAT, self.game, self.observation, self.sizes, self.made)
        check_header(header)
        arrays = {"header": np.frombuffer(msgspec.json.encode(header), np.uint8)}
        for number, (biases, weights) in enumerate(self.layers, 1):
            arrays |= {f"biases_{number}": biases, f"weights_{number}": weights}
        with path.open("xb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]


def check_header(header: Header) -> None:
    """Raises what is wrong with a header."""
    if header.format != FORMAT:
        raise WeightsError(f"its format is {header.format!r}, not {FORMAT!r}")
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


def check_array(array: np.ndarray, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a file, if it has the right shape and usable numbers."""
    if array.dtype not in (np.float32, np.float16):
        raise WeightsError(f"{name} must be reals of 32 or 16 bits, not {array.dtype}")
    if array.shape != shape:
        raise WeightsError(f"{name} is of shape {array.shape}, not {shape}")
    single = array.astype(np.float32)
    if not np.abs(single).max() < LARGEST_WEIGHT:
        raise WeightsError(f"some of the numbers of {name} are not usable")
    return single


def parse_archive(content: bytes) -> PolicyNetwork:
    """The network of a file's content."""
    try:
        entries = zipfile.ZipFile(io.BytesIO(content)).infolist()
        if sum(entry.file_size for entry in entries) > LARGEST_FILE:
            raise WeightsError(f"it is too large, with more than {LARGEST_FILE:,} bytes")
        archive = np.lib.npyio.NpzFile(io.BytesIO(content), allow_pickle=False)
        header = msgspec.json.decode(archive["header"].tobytes(), type=Header)
        check_header(header)
        layers = []
        for number, (below, size) in enumerate(zip(header.sizes, header.sizes[1:], strict=False), 1):
            biases = check_array(archive[f"biases_{number}"], f"biases_{number}", (size,))
            weights = check_array(archive[f"weights_{number}"], f"weights_{number}", (size, below))
            layers.append((biases, weights))
    except WeightsError:
        raise
    except (msgspec.DecodeError, RecursionError) as error:
        raise WeightsError(f"its header cannot be used: {in_words(error)}") from error
    except BROKEN as error:
        raise WeightsError(f"it is not an archive of weights, or not a whole one: {error}") from error
    return PolicyNetwork(header.game, layers, header.observation, header.made)


def read_archive(path: Path) -> PolicyNetwork:
    """The network of a file."""
    try:
        return parse_archive(content_of(path, LARGEST_FILE))
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WeightsError(f"{path} cannot be used: {error}") from error
