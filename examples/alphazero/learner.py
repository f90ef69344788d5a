"""The learner: gradient descent on the examples of self-play (extra `learn`, which is JAX)."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from examples.alphazero.network import Layers, Network, forward
from examples.alphazero.self_play import Examples

BATCH = 1024
WINDOW = 20  # rounds of self-play whose examples are kept
RATE = 2e-3  # the step size at the start; it falls to almost 0 along a cosine
FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8  # of Adam


class Learner:
    """Improves a network with batches that are drawn from the last rounds of self-play."""

    def __init__(self, network: Network, rounds: int, batches: int, seed: int) -> None:
        self._network = network
        self._rounds, self._batches = rounds, batches
        self._rng = np.random.default_rng(seed)
        self._kept: list[Examples] = []
        self._done = 0
        self._layers: Layers = jax.tree.map(jnp.asarray, network.layers)
        self._moments = (jax.tree.map(jnp.zeros_like, self._layers),) * 2
        self._steps = jax.jit(descend)

    def learn(self, examples: Examples) -> None:
        """Add the examples of a round, take the gradient steps of that round, and update the network."""
        self._kept = [*self._kept, examples][-WINDOW:]
        all_kept = Examples(*map(np.concatenate, zip(*self._kept, strict=True)))
        drawn = self._rng.integers(len(all_kept.rows), size=(self._batches, BATCH))
        inputs = self._network.encode(all_kept.rows[drawn.ravel()]).reshape(*drawn.shape, -1)
        others = [column[drawn] for column in all_kept[1:]]
        rate = RATE * (1 + math.cos(math.pi * self._done / self._rounds)) / 2
        first = self._done * self._batches
        self._layers, self._moments = self._steps(self._layers, self._moments, first, rate, (inputs, *others))
        self._network.layers = jax.tree.map(np.asarray, self._layers)
        self._done += 1


def loss(layers: Layers, inputs: Any, legal: Any, policies: Any, values: Any) -> Any:
    """Return the cross-entropy of the policies plus the squared error of the values."""
    scores, estimates = forward(layers, inputs)
    logarithms = jax.nn.log_softmax(jnp.where(legal, scores, -1e9))
    return jnp.mean((estimates - values) ** 2) - jnp.mean(jnp.sum(policies * logarithms, axis=1))


def descend(layers: Layers, moments: Any, done: Any, rate: Any, batches: Any) -> Any:
    """Take a step of Adam for each batch, and return the layers and the moments after them."""

    def step(carried: Any, batch: Any) -> Any:
        layers, (mean, square), count = carried
        gradient = jax.grad(loss)(layers, *batch)
        mean = jax.tree.map(lambda old, new: FIRST_DECAY * old + (1 - FIRST_DECAY) * new, mean, gradient)
        square = jax.tree.map(lambda old, new: SECOND_DECAY * old + (1 - SECOND_DECAY) * new**2, square, gradient)
        size = rate * jnp.sqrt(1 - SECOND_DECAY**count) / (1 - FIRST_DECAY**count)
        layers = jax.tree.map(lambda old, m, s: old - size * m / (jnp.sqrt(s) + TINY), layers, mean, square)
        return (layers, (mean, square), count + 1), None

    (layers, moments, _), _ = jax.lax.scan(step, (layers, moments, done + 1.0), batches)
    return layers, moments
