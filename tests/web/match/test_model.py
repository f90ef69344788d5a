"""The service against the pure rules: after any requests in any order it is in the same state."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from duelbook import GAMES
from duelbook.game import SEAT_NAMES, AnyGame, Outcome, forced_pass, move_names, outcome_name
from duelbook.games import make
from tests.support.game_folders import short_variants
from tests.support.service.harness import Player, RunningServer
from tests.web.conftest import both_backends


class Model:
    """The state of a match by the rules alone."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.states = [game.initial()]
        self.moves: list[str] = []
        self.resigned: int | None = None
        self.asked: int | None = None

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def mover(self) -> int:
        return self.game.mover(self.state)

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.game.outcome(self.state) != Outcome.UNDECIDED

    def legal(self) -> list[str]:
        return [] if self.over else list(move_names(self.game, self.state))

    def play(self, name: str) -> None:
        self.asked = None
        self._play(name)
        while not self.over and forced_pass(self.game, self.state) is not None:
            self._play("pass")

    def _play(self, name: str) -> None:
        move = move_names(self.game, self.state)[name]
        self.states.append(self.game.play(self.state, move))
        self.moves.append(name)

    def has_chosen(self, seat: int) -> bool:
        """Return True if the player has made a move other than a pass, which is forced."""
        made = zip(self.states, self.moves, strict=False)
        return any(self.game.mover(state) == seat and move != "pass" for state, move in made)

    def take_back(self, seat: int) -> None:
        """Take back the last choice of the player, and everything after it."""
        while True:
            move = self.moves.pop()
            self.states.pop()
            if move != "pass" and self.game.mover(self.state) == seat:
                break
        self.asked = None


class Service(RuleBasedStateMachine):
    server: RunningServer

    @initialize(
        data=st.data(), name=st.sampled_from(sorted(GAMES)), seat=st.sampled_from(["first", "second", "random"])
    )
    def a_match_is_made(self, data: st.DataObject, name: str, seat: str) -> None:
        options = data.draw(st.sampled_from(short_variants(name)))
        self.players = self.server.new_pair(name, options=options, seat=seat)
        self.model = Model(make(name, **options))
        self.answers: list[tuple[Player, dict[str, Any], Any]] = []

    def mover(self) -> Player:
        return self.players[self.model.mover]

    @precondition(lambda self: not self.model.over)
    @rule(data=st.data(), key=st.none() | st.integers(0, 2**60).map(str))
    def a_legal_move_is_played(self, data: st.DataObject, key: str | None) -> None:
        player, move = self.mover(), data.draw(st.sampled_from(self.model.legal()))
        body: dict[str, Any] = {"ply": len(self.model.moves), "move": move}
        if key is not None:
            body["key"] = f"{len(self.answers)}-{key}"
        answer = player.act("play", **body)
        assert answer.status_code == 200, answer.text
        self.model.play(move)
        self.answers.append((player, body, answer.json()))

    @precondition(lambda self: any("key" in body for _, body, _ in self.answers))
    @rule(data=st.data())
    def a_move_is_sent_again(self, data: st.DataObject) -> None:
        keyed = [asked for asked in self.answers if "key" in asked[1]]
        player, body, answer = data.draw(st.sampled_from(keyed))
        assert player.act("play", **body).json() == answer

    @rule(move=st.text(max_size=8), seat=st.sampled_from([0, 1]), ply=st.integers(0, 40))
    def nonsense_is_refused(self, move: str, seat: int, ply: int) -> None:
        played = self.model.moves[ply] if ply < len(self.model.moves) else None
        if move.strip().casefold() in {name.casefold() for name in (*self.model.legal(), played or "")}:
            return
        answer = self.players[seat].play(ply, move)
        assert answer.status_code in (403, 409, 422), answer.text

    @precondition(lambda self: not self.model.over)
    @rule(data=st.data())
    def the_other_seat_may_not_move(self, data: st.DataObject) -> None:
        move = data.draw(st.sampled_from(self.model.legal()))
        answer = self.players[1 - self.model.mover].play(len(self.model.moves), move)
        assert answer.status_code == 403, answer.text

    @precondition(lambda self: not self.model.over)
    @rule(seat=st.sampled_from([0, 1]), action=st.sampled_from(["undo", "agree", "decline"]))
    def somebody_asks_to_take_back_or_answers(self, seat: int, action: str) -> None:
        answer, model = self.players[seat].act(action), self.model
        is_asked = model.asked == 1 - seat
        is_allowed = {"undo": model.has_chosen(seat) and not is_asked, "agree": is_asked, "decline": True}[action]
        assert answer.status_code == (200 if is_allowed else 409), answer.text
        if not is_allowed:
            return
        if action == "agree":
            model.take_back(1 - seat)
        else:
            model.asked = seat if action == "undo" else None

    @precondition(lambda self: not self.model.over and len(self.model.moves) > 4)
    @rule(seat=st.sampled_from([0, 1]))
    def somebody_resigns(self, seat: int) -> None:
        assert self.players[seat].act("resign").status_code == 200
        self.model.resigned = seat

    @invariant()
    def the_service_stands_where_the_rules_stand(self) -> None:
        if not hasattr(self, "model"):
            return
        view, model = self.players[0].view(), self.model
        assert view["moves"] == model.moves
        assert view["legal"] == model.legal()
        assert view["mover"] == (None if model.over else SEAT_NAMES[model.mover])
        assert view["undo"] == (None if model.asked is None or model.over else SEAT_NAMES[model.asked])
        assert view["text"] == model.game.render(model.state)
        if model.resigned is None:
            assert view["outcome"] == outcome_name(model.game.outcome(model.state))
        else:
            assert (view["outcome"], view["reason"]) == (SEAT_NAMES[1 - model.resigned], "resignation")


@both_backends
def test_the_service_agrees_with_the_rules_after_any_requests_in_any_order(server: RunningServer) -> None:
    machine = type("Machine", (Service,), {"server": server})
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    often = settings(max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=checks)
    run_state_machine_as_test(machine, settings=often)
