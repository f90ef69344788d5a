"""The keys of a match, a lesson or a puzzle. One key may stand for several commands; that which is possible counts."""

from textual.binding import Binding, BindingType

KEYS: list[BindingType] = [
    Binding("f2", "act('hint')", "Hint", tooltip="get a hint: first a nudge, then the move, then why"),
    Binding("f3", "values", "Value", tooltip="show the value of every move, or hide it"),
    Binding("f4", "act('undo')", "Undo", tooltip="take back your last move; another person is asked first"),
    Binding("f4", "act('back')", "Before", tooltip="go to the step before"),
    Binding("ctrl+g", "act('give')", "Give time", tooltip="give your opponent more time for this turn"),
    Binding("f5", "moves", "Moves", show=False, tooltip="list the legal moves"),
    Binding("f6", "act('resign')", "Resign", tooltip="give up, after asking"),
    Binding("f6", "act('answer')", "Give up", tooltip="see the answer, after asking"),
    Binding("f7", "rules", "Rules", tooltip="read the rules"),
    Binding("f8", "act('next')", "Next", tooltip="go to what comes next"),
    Binding("f8", "stop('waiting')", "Leave", tooltip="stop waiting and leave"),
    Binding("f8", "stop", show=False, tooltip="stop what takes long, as to play on without the solution"),
    Binding("less_than_sign", "act('easier')", "Easier", tooltip="go to an easier puzzle"),
    Binding("greater_than_sign", "act('harder')", "Harder", tooltip="go to a harder puzzle"),
    Binding("backspace", "take_back_answer", show=False, tooltip="choose the part before again"),
    Binding("escape", "leave('match')", "Back", tooltip="go back; you can continue a match that is not over"),
    Binding("escape", "leave", "Back", tooltip="go back"),
]
ON_THE_BOARD = {
    "arrows, Enter": "go to a move and play it, as with the mouse",
    "digit, letter": "play the move that is this digit or letter; go to it if a part of the move is chosen already",
    "Tab, other text": "go to the line below the board, which takes moves and the words below",
}
WATCHING = {"Tab, any text": "go to the line below the board, which takes the words below"}
