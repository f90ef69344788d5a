// Crystal Capture on boardgame.io, with the rules of `games/crystal_capture/rules.py`, for `peers.py`.
// node boardgame_io.js PACKAGES PORT [FOLDER]: with a folder matches are kept in its files, otherwise in memory.

const { createRequire } = require("node:module");

const [packages, port, folder] = process.argv.slice(2);
const { Server, FlatFile } = createRequire(`${packages}/`)("boardgame.io/server");
const CRYSTALS = Number(process.env.CRYSTALS);
const GOAL = Number(process.env.GOAL);

const canCapture = (G, player) => G.pool.some((crystal) => crystal <= GOAL - G.totals[player]);

const CrystalCapture = {
  name: "crystal-capture",
  setup: () => ({ pool: Array.from({ length: CRYSTALS }, (_, index) => index + 1), totals: [0, 0] }),
  moves: {
    capture: ({ G, playerID }, crystal) => {
      if (!G.pool.includes(crystal) || crystal > GOAL - G.totals[playerID]) return "INVALID_MOVE";
      G.pool.splice(G.pool.indexOf(crystal), 1);
      G.totals[playerID] += crystal;
    },
  },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: {
      first: () => 0,
      next: ({ G, ctx }) => (canCapture(G, 1 - ctx.playOrderPos) ? 1 - ctx.playOrderPos : ctx.playOrderPos),
    },
  },
  endIf: ({ G }) => {
    if (G.totals.includes(GOAL)) return { winner: G.totals.indexOf(GOAL) };
    if (!canCapture(G, 0) && !canCapture(G, 1)) return { totals: G.totals };
  },
};

const db = folder ? new FlatFile({ dir: folder }) : undefined;
Server({ games: [CrystalCapture], origins: [], db }).run(Number(port));
