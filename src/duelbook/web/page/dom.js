// Trees of elements as plain values, and drawing them: what is there already is changed, so that focus stays put.

/** @typedef {{tag: string, props: Record<string, any>, children: Child[], key: string | undefined}} Tree */
/** @typedef {Tree | string | number | null | undefined | false | any[]} Child an array holds children */

/**
 * Answer a tree: `h("button", {class: "move", onclick: play}, "8")`.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Child} children
 * @returns {Tree}
 */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  return { tag, props: rest, children, key };
}

/**
 * Make the children of an element what the trees say.
 * @param {Element} parent
 * @param {...Child} children
 */
export function draw(parent, ...children) {
  let place = parent.firstChild;
  for (const child of flat(children)) {
    const node = match(place, child) ?? create(child, parent);
    change(node, child); // before it is put in place, so that a part knows what it shows from the start
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @type {WeakMap<Node, {props: Record<string, any>, key: string | undefined}>} */
const drawn = new WeakMap();

/** @typedef {Tree | string} One */

/** @param {Child[]} children @returns {One[]} */
function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (typeof child === "number" ? String(child) : /** @type {One} */ (child)));
}

/**
 * Answer the node that shows the child already: the next one, or one with its key further on.
 * @param {ChildNode | null} place
 * @param {One} child
 * @returns {ChildNode | null}
 */
function match(place, child) {
  if (typeof child === "string") return place?.nodeType === Node.TEXT_NODE ? place : null;
  for (let node = place; node; node = node.nextSibling) {
    const known = drawn.get(node);
    if (known && known.key === child.key && node.nodeName.toLowerCase() === child.tag) return node;
    if (child.key === undefined) return null;
  }
  return null;
}

/** @param {One} child @param {Element} parent @returns {ChildNode} */
function create(child, parent) {
  if (typeof child === "string") return document.createTextNode(child);
  const svg = child.tag === "svg" || (parent.namespaceURI === SVG && parent.nodeName !== "foreignObject");
  const element = svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  drawn.set(element, { props: {}, key: child.key });
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** @param {ChildNode} node @param {One} child */
function change(node, child) {
  if (typeof child === "string") {
    if (node.textContent !== child) node.textContent = child;
    return;
  }
  const element = /** @type {Element} */ (node);
  const known = drawn.get(element);
  if (!known) return;
  for (const name of Object.keys(known.props)) if (!(name in child.props)) set(element, name, null);
  for (const [name, value] of Object.entries(child.props)) {
    if (value !== known.props[name] || LIVE.has(name)) set(element, name, value);
  }
  known.props = child.props;
  if (!("textContent" in child.props) && !element.tagName.includes("-")) draw(element, ...child.children);
}

const LIVE = new Set(["value", "checked", "open"]); // what people change themselves

/** @param {Element} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (name === "style") setStyle(/** @type {HTMLElement} */ (element), value ?? {});
  else if (typeof value === "function" || typeof value === "object" || LIVE.has(name)) assign(element, name, value);
  else if (value === false || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** @param {any} element @param {string} name @param {any} value */
function assign(element, name, value) {
  if (value === null && !(name in element)) element.removeAttribute(name);
  else if (value === null && !name.startsWith("on")) element.removeAttribute(name);
  else if (element[name] !== value) element[name] = value;
}

/** @param {HTMLElement} element @param {Record<string, string | number>} style */
function setStyle(element, style) {
  for (const name of [...element.style]) if (!(name in style)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, String(value));
}

/** An element that draws itself: a part says what it shows, and `update` shows it. */
export class Part extends HTMLElement {
  #waiting = false;

  connectedCallback() {
    this.update();
  }

  /** Draw the part anew, once for all changes that come together. */
  update() {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (!this.isConnected) return;
      draw(this, this.render());
      this.drawn();
    });
  }

  /** @returns {Child} */
  render() {
    return null;
  }

  /** Do what can only be done once it is drawn. */
  drawn() {}
}
