// The page: which screen an address leads to, and what stands at the top of all of them.

import { draw, h } from "./dom.js";
import { prefs } from "./prefs.js";

/** @type {[RegExp, string, () => Promise<unknown>][]} */
const SCREENS = [
  [/^\/$/, "duel-home", () => import("./home.js")],
  [/^\/match\/([^/]+)$/, "duel-match", () => import("./match.js")],
  [/^\/analysis(?:\/([^/]+))?$/, "duel-analysis", () => import("./analysis.js")],
  [/^\/puzzle(?:\/([^/]+))?$/, "duel-puzzle", () => import("./puzzle.js")],
  [/^\/record$/, "duel-record", () => import("./record.js")],
  [/^\/watch$/, "duel-watch", () => import("./watch.js")],
];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));
let turn = 0;

/** Show the screen of the present address. */
async function show() {
  const mine = ++turn;
  const path = location.pathname;
  const [pattern, tag, load] = SCREENS.find(([candidate]) => candidate.test(path)) ?? SCREENS[0];
  try {
    await load();
  } catch {
    if (mine === turn) draw(main, h("p", { class: "notice" }, "The page could not be loaded. Reload it to try again."));
    return;
  }
  if (mine !== turn) return;
  document.title = "Duelbook";
  draw(main, h(tag, { key: String(mine), name: pattern.exec(path)?.[1] ?? "" }));
  draw(nav, links());
}

const LINKS = { "/puzzle/daily": "Puzzle", "/analysis": "Analysis", "/watch": "Watch" };

function links() {
  const items = Object.entries(LINKS).map(([path, text]) =>
    h("a", { href: path, "aria-current": location.pathname === path ? "page" : undefined }, text),
  );
  return [...items, h("button", { type: "button", class: "plain-button", onclick: openSettings }, "Settings")];
}

async function openSettings() {
  const { settings } = await import("./settings.js");
  settings();
}

/**
 * Go to an address of this page without loading it anew.
 * @param {string} path
 * @param {{replace?: boolean}} [how]
 */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  void show().then(() => {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  });
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const other = event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link || other || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/") || link.hash) return;
  event.preventDefault();
  go(link.href);
}

/** Show the colour scheme that is wished for. */
export function colour() {
  if (prefs.scheme === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = prefs.scheme;
}

colour();
addEventListener("click", follow);
addEventListener("popstate", () => void show());
void show();
