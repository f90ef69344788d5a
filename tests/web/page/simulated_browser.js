// What the page's modules expect of a browser when they are loaded. A test imports this first.

const stored = new Map();

export const storage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => void stored.set(key, String(value)),
  clear: () => stored.clear(),
};

/** A line of the page, such as the status line: its text, and whether it is shown. */
class Line {
  textContent = "";
  #classes = new Set();
  classList = { add: (name) => this.#classes.add(name), remove: (name) => this.#classes.delete(name) };
}

export const lines = { status: new Line(), progress: new Line() };
export const media = { calm: false };

Object.assign(globalThis, {
  window: globalThis,
  localStorage: storage,
  document: {
    getElementById: (id) => lines[id] ?? null,
    addEventListener() {},
    removeEventListener() {},
    hidden: false,
  },
  BroadcastChannel: undefined, // it would keep the process alive
  HTMLElement: class {},
  customElements: { define() {} },
  matchMedia: () => ({ matches: media.calm }),
  location: new URL("http://localhost/"),
  addEventListener() {},
  removeEventListener() {},
  dispatchEvent() {},
});

export const PAGE = new URL("../../../src/duelbook/web/page/", import.meta.url);

/** Load a module of the page. */
export const load = (name) => import(new URL(name, PAGE));

/** Let everything run that waits for nothing but promises. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
