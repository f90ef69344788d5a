"""The sample sessions of the five books, line by line, at a real terminal.

What a person types stands between « and ». Where a book's sample breaks its own rules, the test
names the ruling that applies.
"""

from tests.keyboard import session, shown, without_colour

AFTERWARDS = "\nTo replay a game later, play it with --record FILE.\n"
LEFT = "The game is left unfinished; to keep one, use save FILE or --record FILE.\n"

ALPHA_CHASE = """\
Welcome to Alpha Chase!

Player 1's word: PLANT
Player 2's word: GHOST

Available letters: A B C D E F G H I J K L M N O P Q R S T U V W X Y Z

Player 1's turn.
Enter a letter to select: «P»

Player 1 has selected 'P'.
Letters collected: P
Available letters: A B C D E F G H I J K L M N O Q R S T U V W X Y Z

Player 2's turn.
Enter a letter to select: «G»

Player 2 has selected 'G'.
Letters collected: G
Available letters: A B C D E F H I J K L M N O Q R S T U V W X Y Z

Player 1's turn.
Enter a letter to select: «T»

Player 1 has selected 'T'.
Letters collected: P T
Available letters: A B C D E F H I J K L M N O Q R S U V W X Y Z

Player 2's turn.
Enter a letter to select: «A»

Player 2 has selected 'A'.
Letters collected: G A
Available letters: B C D E F H I J K L M N O Q R S U V W X Y Z

Player 1's turn.
Enter a letter to select: «L»

Player 1 has selected 'L'.
Letters collected: P T L
Available letters: B C D E F H I J K M N O Q R S U V W X Y Z

Player 2's turn.
Enter a letter to select: «H»

Player 2 has selected 'H'.
Letters collected: G A H
Available letters: B C D E F I J K M N O Q R S U V W X Y Z

Player 1's turn.
Enter a letter to select: «N»

Player 1 has selected 'N'.
Letters collected: P T L N
Available letters: B C D E F I J K M O Q R S U V W X Y Z

Player 2's turn.
Enter a letter to select: «S»

Player 2 has selected 'S'.
Letters collected: G A H S
Available letters: B C D E F I J K M O Q R U V W X Y Z

Player 1's turn.
Enter a letter to select: «O»

Player 1 has selected 'O'.
Letters collected: P T L N O
Available letters: B C D E F I J K M Q R U V W X Y Z

Player 1 letters from their word: P, T, L, N (4 letters).
Player 2 letters from their word: G, H, S (3 letters).

Game Over.
Player 1 wins!
"""

WORD_CLASH = """\
Player 1's Turn

Your Board: [_, _, _, _, _]
Opponent's Board: [_, _, _, _, _]

Select a letter from A-Z: «A»
Place letter on ('self' or 'opponent'): «self»
Choose position (1-5): «1»

You placed 'A' in position 1 on your board.

Press Enter to end your turn...«»

Player 2's Turn

Your Board: [_, _, _, _, _]
Opponent's Board: [A, _, _, _, _]

Select a letter from A-Z: «E»
Place letter on ('self' or 'opponent'): «opponent»
Choose position (1-5): «2»

You placed 'E' in position 2 on your opponent's board.

Press Enter to end your turn...«»

Player 1's Turn

Your Board: [A, E, _, _, _]
Opponent's Board: [_, _, _, _, _]

Select a letter from A-Z: «t»
Place letter on ('self' or 'opponent'): «SELF»
Choose position (1-5): «3»

You placed 'T' in position 3 on your board.

Press Enter to end your turn...«»

Player 2's Turn

Your Board: [_, _, _, _, _]
Opponent's Board: [A, E, T, _, _]

Select a letter from A-Z: «S opponent 4»

You placed 'S' in position 4 on your opponent's board.

Press Enter to end your turn...«»

Player 1's Turn

Your Board: [A, E, T, S, _]
Opponent's Board: [_, _, _, _, _]

Select a letter from A-Z: «E self»
Choose position (1-5): «5»

You placed 'E' in position 5 on your board.

Player 1's board is complete: A E T S E
'AETSE' is not a valid English word.
Player 1 loses for completing their board with an invalid word.
Player 2 wins the game.
"""

CRYSTAL_CAPTURE = """\
Available Crystals: 1, 2, 3, 4, 5, 6, 7, 8, 9
Player 1 Points: 0
Player 2 Points: 0

Player 1, choose a crystal to capture: «8»

You have captured crystal 8.
Player 1 Points: 8

------------------------

Available Crystals: 1, 2, 3, 4, 5, 6, 7, 9
Player 1 Points: 8
Player 2 Points: 0

Player 2, choose a crystal to capture: «7»

You have captured crystal 7.
Player 2 Points: 7

------------------------

Available Crystals: 1, 2, 3, 4, 5, 6, 9
Player 1 Points: 8
Player 2 Points: 7

Player 1, choose a crystal to capture: «6»

You have captured crystal 6.
Player 1 Points: 14

------------------------

Available Crystals: 1, 2, 3, 4, 5, 9
Player 1 Points: 14
Player 2 Points: 7

Player 2, choose a crystal to capture: «4»

You have captured crystal 4.
Player 2 Points: 11

------------------------

Available Crystals: 1, 2, 3, 5, 9
Player 1 Points: 14
Player 2 Points: 11

Player 1, choose a crystal to capture: «1»

You have captured crystal 1.
Player 1 Points: 15

Congratulations, Player 1! You have exactly 15 points and win the game!
"""

CHARGE = """\
Player 1's Hand: Charge x5, Block x2, Steal x1
Player 2's Hand: Charge x5, Block x2, Steal x1

Turn 1

Player 1's charge: 0
Player 2's charge: 0
Player 1, play a card: «play charge 3»

Player 1 plays a Charge Card adding 3 points. Total charge: 3.

Player 1's charge: 3
Player 2's charge: 0
Player 2, play a card: «play charge 5»

Player 2 plays a Charge Card adding 5 points. Total charge: 5.

Turn 2

Player 1's charge: 3
Player 2's charge: 5
Player 1, play a card: «play steal»

Player 1 plays a Steal Card, stealing 5 points from Player 2.
Charge Updates:
Player 1: 3 + 5 = 8
Player 2: 5 - 5 = 0

Player 1's charge: 8
Player 2's charge: 0
Player 2, play a card: «play block»

Player 2 plays a Block Card. Player 1's next charge will be blocked.

Turn 3

Player 1's charge: 8
Player 2's charge: 0
Player 1, play a card: «play charge 5»

Player 1 plays a Charge Card but is blocked. Total charge remains at 8.

Player 1's charge: 8
Player 2's charge: 0
Player 2, play a card: «play charge 4»

Player 2 plays a Charge Card adding 4 points. Total charge: 0 + 4 = 4.

Turn 4

Player 1's charge: 8
Player 2's charge: 4
Player 1, play a card: «play charge 5»

Player 1 plays a Charge Card adding 5 points. Total charge: 8 + 5 = 13.

Player 1's charge: 13
Player 2's charge: 4
Player 2, play a card: «play steal»

Player 2 plays a Steal Card, stealing 5 points from Player 1.
Charge Updates:
Player 2: 4 + 5 = 9
Player 1: 13 - 5 = 8

Turn 5

Player 1's charge: 8
Player 2's charge: 9
Player 1, play a card: «play charge 5»

Player 1 plays a Charge Card adding 5 points. Total charge: 8 + 5 = 13.

Player 1's charge: 13
Player 2's charge: 9
Player 2, play a card: «play block»

Player 2 plays a Block Card. Player 1's next charge will be blocked.

Turn 6

Player 1's charge: 13
Player 2's charge: 9
Player 1, play a card: «quit»
"""

FLAG_CHASE = """\
Welcome to Flag Chase!

Initial Track:
[1][2][3][4][5]
[P1][ ][F][ ][P2]

Player 1, you are at position 1.
Enter your move (1 or 2 cells forward): «1»

Updated Track:
[ ][P1][F][ ][P2]

Player 2, you are at position 5.
Enter your move (1 or 2 cells forward): «1»

Updated Track:
[ ][P1][F][P2][ ]

Player 1, you are at position 2.
Enter your move (1 or 2 cells forward): «2»

Cannot move 2 cells forward. Cell 4 is occupied by Player 2.
You move 1 cell forward to cell 3 and capture the flag!

Player 1 wins!
"""


def test_alpha_chase_as_in_its_book() -> None:
    """The sample goes on as the book's worked game does (AC-4)."""
    screen, code = session("play alpha-chase --option words=PLANT,GHOST", ALPHA_CHASE)
    assert screen == shown(ALPHA_CHASE) + AFTERWARDS
    assert code == 0


def test_word_clash_as_in_its_book() -> None:
    """The sample goes on as the book's playthrough does; one line or several answers do."""
    screen, code = session("play word-clash", WORD_CLASH)
    assert screen == shown(WORD_CLASH) + AFTERWARDS
    assert code == 0


def test_crystal_capture_as_in_its_book() -> None:
    """ALL-1: who begins is random by the book; in the sample it is Player 1."""
    screen, code = session("play crystal-capture --first 1", CRYSTAL_CAPTURE)
    assert screen == shown(CRYSTAL_CAPTURE) + AFTERWARDS
    assert code == 0


def test_charge_as_in_its_book() -> None:
    """The sample stops in the middle of the game, so the session is left there."""
    screen, code = session("play charge", CHARGE)
    assert screen == shown(CHARGE) + LEFT
    assert code == 1


def test_flag_chase_as_in_its_book() -> None:
    """FC-2: Player 2 enters 1; the 2 of the book would have reached the flag."""
    screen, code = session("play flag-chase", FLAG_CHASE)
    assert screen == shown(FLAG_CHASE) + AFTERWARDS
    assert code == 0


def test_a_colour_terminal_shows_the_same_words() -> None:
    screen, _ = session("play flag-chase", FLAG_CHASE, TERM="xterm-256color")
    assert "\x1b[1;32mPlayer 1 wins!\x1b[0m" in screen
    assert without_colour(screen) == shown(FLAG_CHASE) + AFTERWARDS


def test_no_color_is_respected() -> None:
    screen, _ = session("play flag-chase", FLAG_CHASE, TERM="xterm-256color", NO_COLOR="1")
    assert screen == shown(FLAG_CHASE) + AFTERWARDS
