"""A package with entry points that is installed, as far as Python can tell."""

from pathlib import Path


def write_entry_points(folder: Path, group: str, package: str, **things: str) -> None:
    """Write the metadata of version 1.2 of a package. In names, `_` stands for a hyphen."""
    metadata = folder / f"{package.replace('-', '_')}-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    lines = [f"{name.replace('_', '-')} = {target}" for name, target in things.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
