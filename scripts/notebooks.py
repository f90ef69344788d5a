"""Run the notebooks in `examples/notebooks` and keep what they show: `python -m scripts.notebooks` (`make docs`)."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples/notebooks").glob("*.ipynb"))
CELL_SECONDS = 120


def run_notebook(file: Path, folder: Path) -> Any:
    """Run the notebook in a folder and return it with its outputs. Raise CellExecutionError if a cell fails."""
    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, timeout=CELL_SECONDS, resources={"metadata": {"path": str(folder)}}).execute()
    for cell in notebook.cells:
        cell.metadata.clear()  # times of the run
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]  # progress bars
            for output in cell.outputs:
                if len(data := output.get("data", {})) > 1:  # a table or a picture: its text has addresses and times
                    del data["text/plain"]
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


def main() -> None:
    for file in NOTEBOOKS:
        with TemporaryDirectory() as folder:
            nbformat.write(run_notebook(file, Path(folder)), file)
        print(f"{file.name} was run.")


if __name__ == "__main__":
    main()
