"""What a move does, in the words of each game; hints, reviews and puzzles add the value and the reason."""

import pytest

from duelbook import make, parse_move
from duelbook.narration import Seating, Voice, narration_for
from duelbook.options import option_pairs
from tests.support.playing import played

STEALS = "takes the 5 points that Bob just gained"
FULL = "C self 1,X self 1,A self 2,X self 2"  # of three slots, two are taken
DEAD = "leaves 2 slots to fill on Ann's board, which no word fits any more,"
SETTLED = "ends the game with 1 letter of PLANT against 0 of GHOST,"
ALIVE = "leaves 4 slots to fill on Bob's board, which a word still fits,"


@pytest.mark.parametrize(
    ("game", "moves", "move", "text"),
    [
        ("charge", "", "charge 5", "brings Ann to 5 points"),
        ("charge goal=5", "", "charge 5", "makes exactly 5 points"),
        ("charge goal=1", "", "charge 1", "makes exactly 1 point"),
        ("charge goal=4", "", "charge 5", "goes beyond 4, back to 0,"),
        ("charge", "block", "charge 5", "waits out the block"),
        ("charge", "", "block", "stops a charge on Bob's next turn"),
        ("charge charge_cards=1", "block,charge 1", "block", "blocks nothing, since Bob has no Charge Card,"),
        ("charge", "charge 5", "steal", STEALS),
        ("charge", "", "steal", "has nothing to steal"),
        ("charge goal=6", "charge 2,charge 5", "steal", f"{STEALS}, goes beyond 6, back to 0,"),
        ("charge goal=6", "charge 1,charge 5", "steal", f"{STEALS}, makes exactly 6 points"),
        ("charge charge_cards=1", "charge 1,charge 1", "refresh", "brings back all Charge Cards"),
        ("crystal-capture", "", "6", "brings Ann to 6 points"),
        ("crystal-capture", "6,1", "9", "makes exactly 15 points"),
        ("crystal-capture crystals=1 goal=1", "", "1", "makes exactly 1 point"),
        ("crystal-capture", "6", "9", "takes the crystal that Bob needs"),
        ("crystal-capture", "1,9,2,5,3", "pass", ""),
        ("crystal-capture", "2,9,3,4", "1", "leaves Bob no crystal to take"),
        ("crystal-capture", "5,1,3,7,6,2,pass", "4", "leaves no crystal to take, with 14 points against 14,"),
        ("flag-chase", "", "2", "reaches the flag"),
        ("flag-chase cells=9", "", "2", "leaves 2 cells to the flag"),
        ("alpha-chase words=PLANT,GHOST", "", "T", "is in both words"),
        ("alpha-chase words=PLANT,GHOST", "", "P", "gives Ann 1 of the 5 letters of PLANT"),
        ("alpha-chase words=PLANT,GHOST", "", "G", "takes a letter of GHOST away from Bob"),
        ("alpha-chase words=PLANT,GHOST", "", "Z", "is in neither word"),
        ("alpha-chase words=PLANT,GHOST", "P,B,L,C,A,D,N,E", "T", "completes Ann's word"),
        ("alpha-chase words=PLANT,GHOST", "G,P,H,L,O,A,S,N", "T", SETTLED),
        ("word-clash", "", "A self 1", "keeps a word possible on Ann's board"),
        ("word-clash length=3", "C self 1,X self 1", "X self 2", "makes a valid word on Ann's board impossible"),
        ("word-clash", "", "A opponent 1", ALIVE),
        ("word-clash length=3", FULL, "T self 3", "completes Ann's board with a valid word"),
        ("word-clash length=3", FULL, "T opponent 3", "completes Bob's board with an invalid word"),
        ("word-clash", "X self 1,A self 1,X self 2,B self 2", "A self 3", DEAD),
    ],
)
def test_what_a_move_does(game: str, moves: str, move: str, text: str) -> None:
    name, *options = game.split()
    rules = make(name, **option_pairs(options))
    state = played(rules, *filter(None, moves.split(",")))
    explain = narration_for(rules, Seating()).explain
    assert explain(state, parse_move(rules, state, move), Voice("Ann", "Bob")) == text
