"""What notebooks show: boards as SVG, tables as HTML, and a progress bar, but only in a notebook."""

import base64
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import duelbook
from duelbook import Match, RefusedError, make, notebook, picture_of, play_match, review_game, tables
from duelbook.board import position_svg
from duelbook.solve import solve


def boards(html: str) -> list[ElementTree.Element]:
    """Return the pictures that the HTML shows."""
    return [ElementTree.fromstring(base64.b64decode(data)) for data in re.findall(r"base64,([^\"]+)\"", html)]


def texts(svg: str | ElementTree.Element) -> list[str]:
    """Return the texts of a picture."""
    root = ElementTree.fromstring(svg) if isinstance(svg, str) else svg
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def records(table: Any) -> list[dict[str, Any]]:
    """Return the rows of a table, whether pandas is installed or not."""
    return list(table.to_dict("records") if hasattr(table, "to_dict") else table)


@pytest.mark.parametrize("name", [*duelbook.GAMES])
def test_a_state_and_a_match_draw_themselves_as_the_page_does(name: str) -> None:
    game, match = make(name), Match(make(name))
    assert match._repr_svg_() == picture_of(game, game.initial())._repr_svg_()
    match.play(next(iter(game.legal_moves(match.state))))
    svg = match._repr_svg_()
    assert "To move" in texts(svg)
    assert svg != match.picture(0)._repr_svg_()
    for ply in (-1, len(match.moves) + 1):
        with pytest.raises(RefusedError, match="ply must be from 0 to"):
            match.picture(ply)
    assert float(ElementTree.fromstring(svg).attrib["width"]) <= 400


def test_a_played_match_shows_its_board_its_moves_and_how_it_ended() -> None:
    played = play_match("crystal-capture", ("perfect", "random"), seed=3, opening=("8",))
    rows = records(played.table())
    assert [row["move"] for row in rows] == list(played.record.moves)
    assert [row["drawn"] for row in rows][:2] == [True, False]
    assert {row["player"] for row in rows} == {"perfect", "random"}
    html = played._repr_html_()
    [board] = boards(html)
    assert {"perfect", "random"} <= {*texts(board)}
    assert "wins (rules)" in html
    assert boards(played.record._repr_html_())[0].attrib == board.attrib


def test_a_review_shows_every_mistake_as_a_board() -> None:
    review = review_game(make("crystal-capture"), ("1", "2", "3", "4"))
    mistakes = [move for move in review.moves if move.regret]
    html = review._repr_html_()
    assert len(boards(html)) == len(mistakes) > 0
    assert texts(boards(html)[0]) == texts(position_svg(review.game, review.game.initial()))
    assert f"1. 1 is a {mistakes[0].verdict}; best is {mistakes[0].best}." in html
    assert [row["regret"] for row in records(review.table())] == [move.regret for move in review.moves]


def test_a_solution_is_a_table_and_an_iterator_and_shows_the_first_moves() -> None:
    game = make("flag-chase")
    solution = solve(game)
    assert [state for state, _, _ in solution] == sorted(state for state, _, _ in solution)
    assert len(list(solution)) == len(solution) == solution.states() + sum(found.remoteness == 0 for found in solution)
    assert all((solution.value(found.state), solution.remoteness(found.state)) == found[1:] for found in solution)
    rows = records(solution.table())
    assert rows[0] == {"mover": 0, "mine": 0, "theirs": 0, "value": "win", "remoteness": 1}
    html = solution._repr_html_()
    assert "Win for the player to move, 1 ply to the end. 3 states." in html
    assert len(boards(html)) == 1


def test_a_table_in_html_is_escaped_formatted_and_not_endless() -> None:
    html = tables.html_table([{"<a>": "<b>", "n": 12345, "share": 0.123456, "nothing": None}] * 100)
    assert "<th>&lt;a&gt;</th>" in html
    assert re.search(r">&lt;b&gt;</td><td>12,345</td><td>0\.1235</td><td>–</td>", html)
    assert html.count("<tr>") == 1 + tables.MAX_SHOWN_ROWS
    assert "… and 40 more rows" in html
    assert [tables.cell_text(number) for number in (0.0, -0.0, -0.00001, 1.0, -1.5)] == ["0", "0", "0", "1", "-1.5"]


def test_outside_of_a_notebook_there_is_no_bar(capfd: pytest.CaptureFixture[str]) -> None:
    assert not notebook.in_notebook()
    with notebook.progress_bar("Playing", 2, delay=0) as bar:
        bar.update(1, "half")
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_in_a_notebook_a_run_shows_a_bar(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (extra dev)")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (extra dev)")
    pytest.importorskip("tqdm", reason="tqdm is not installed (extra notebook)")
    code = (
        "import duelbook\n"
        "from duelbook import notebook\n"
        "assert notebook.in_notebook()\n"
        "duelbook.tournament('flag-chase', ['random', 'greedy'], pairs=3)"
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = book.cells[0].outputs
    shown = "".join(output.get("text", "") for output in outputs if output.get("name") == "stderr")
    assert "Playing" in shown
    assert "6/6" in shown or "0/6" in shown
    assert '<td style="text-align:left">greedy</td>' in outputs[-1]["data"]["text/html"]
