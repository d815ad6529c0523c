"""The header of a safetensors file, as the library reads it: https://huggingface.co/docs/safetensors."""

from pathlib import Path

from safetensors import SafetensorError, safe_open

from textsimp.core.errors import bad_input, one_line
from textsimp.core.reading import opened

Shape = tuple[int, ...]


def check_tensors(path: str | Path, remedy: str = "train again") -> dict[str, Shape]:
    """Return the shapes of a file's tensors, by name; raise `InputError` where the file is absent or damaged."""
    with opened(path, remedy):
        try:
            with safe_open(path, "np") as file:
                return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, ValueError) as error:
            raise bad_input(path, None, f"no readable weights ({one_line(error)[:200]})", remedy) from None
