// The start of the page: the router from addresses to screens, and the navigation at the top.

import { keepFiles } from "./connection.js";
import { draw, h } from "./dom.js";
import { icon } from "./icons.js";
import { prefs } from "./prefs.js";
import { leaveScreen } from "./progress.js";
import { keepScroll, newEntry, restoreScroll } from "./scroll.js";
import { clearStatus } from "./status.js";

/** @type {[RegExp, string, () => Promise<unknown>][]} */
const SCREENS = [
  [/^\/$/, "duel-home", () => import("./home.js")],
  [/^\/match\/([^/]+)$/, "duel-match", () => import("./match.js")],
  [/^\/analysis(?:\/([^/]+))?$/, "duel-analysis", () => import("./analysis.js")],
  [/^\/puzzle\/run$/, "duel-run", () => import("./puzzle-run.js")],
  [/^\/games$/, "duel-games", () => import("./games.js")],
  [/^\/puzzle(?:\/([^/]+))?$/, "duel-puzzle", () => import("./puzzle.js")],
  [/^\/learn(?:\/([^/]+))?$/, "duel-learn", () => import("./learn.js")],
  [/^\/record$/, "duel-record", () => import("./record.js")],
  [/^\/lobby$/, "duel-lobby", () => import("./lobby.js")],
];
/** @type {typeof SCREENS[0]} */
const NOT_FOUND = [/^/, "duel-not-found", () => import("./not-found.js")];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));
let latest = 0; // the number of the latest navigation; an older one that finishes later is dropped

/** Show the screen of the current address. */
async function show() {
  const navigation = ++latest;
  const path = location.pathname.replace(/(?<=.)\/+$/, "");
  const [pattern, tag, load] = SCREENS.find(([candidate]) => candidate.test(path)) ?? NOT_FOUND;
  try {
    await load();
  } catch {
    if (navigation === latest) draw(main, h("p", { class: "notice" }, LOAD_FAILED));
    return;
  }
  if (navigation !== latest) return;
  leaveScreen();
  clearStatus();
  document.title = "Duelbook";
  draw(main, h(tag, { key: String(navigation), name: pattern.exec(path)?.[1] ?? "" }));
  draw(nav, links());
}

const LOAD_FAILED = "This page could not be loaded. Reload it to try again.";
/** @type {[string, RegExp, string, string?][]} the address, all addresses that belong to it, the text, and one for phones */
const LINKS = [
  ["/learn", /^\/learn/, "Learn"],
  ["/puzzle/daily", /^\/puzzle/, "Puzzle"],
  ["/games", /^\/games/, "Your games", "Games"],
  ["/analysis", /^\/analysis/, "Analysis"],
  ["/lobby", /^\/lobby/, "Lobby"],
];

function links() {
  const items = LINKS.map(([path, pages, text, short]) => {
    const current = pages.test(location.pathname) ? (location.pathname === path ? "page" : "true") : undefined;
    const shown = short ? [h("span", { class: "in-full" }, text), h("span", { class: "in-short" }, short)] : text;
    return h("a", { href: path, "aria-label": short && text, "aria-current": current }, shown);
  });
  const props = { type: "button", class: "plain-button", onclick: openSettings, "aria-label": "Settings" };
  return [...items, h("button", props, icon("settings"), h("span", null, "Settings"))]; // a phone has room for one of them
}

async function openSettings() {
  const { showSettings } = await import("./settings.js");
  await showSettings();
}

/**
 * Go to an address of this site without reloading the page.
 * @param {string} path
 * @param {{replace?: boolean}} [how]
 */
export function go(path, { replace = false } = {}) {
  if (replace) replaceAddress(path);
  else newEntry(path);
  void show().then(() => {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  });
}

/**
 * Change the address without going anywhere.
 * @param {string} path
 */
export function replaceAddress(path) {
  history.replaceState(history.state, "", path);
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const special = event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link || special || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/") || link.hash) return;
  event.preventDefault();
  go(link.href);
}

/** Apply the preferred colour scheme. */
export function applyColours() {
  if (prefs.scheme === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = prefs.scheme;
}

applyColours();
addEventListener("click", followLink);
addEventListener("popstate", () => {
  keepScroll();
  void show().then(restoreScroll);
});
void show().then(restoreScroll);
keepFiles();
