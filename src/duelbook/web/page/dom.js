// A small virtual DOM: trees of plain values, drawn by changing the elements that exist, so that focus stays where it is.

/** @typedef {{tag: string, props: Record<string, any>, children: Child[], key: string | undefined}} Tree */
/** @typedef {Tree | string | number | null | undefined | false | any[]} Child an array holds children */

/**
 * Return a tree: `h("button", {class: "move", onclick: play}, "8")`.
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
 * Make the children of an element match the trees.
 * @param {Element} parent
 * @param {...Child} children
 */
export function draw(parent, ...children) {
  let next = parent.firstChild;
  for (const child of flatten(children)) {
    const node = findMatch(next, child) ?? create(child, parent);
    change(node, child); // before it is inserted, so that a component has its properties when it connects
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
  while (next) {
    const following = next.nextSibling;
    next.remove();
    next = following;
  }
}

/** @type {WeakMap<Node, {props: Record<string, any>, key: string | undefined}>} */
const drawn = new WeakMap();

/** @typedef {Tree | string} Drawable */

/** @param {Child[]} children @returns {Drawable[]} */
function flatten(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (typeof child === "number" ? String(child) : /** @type {Drawable} */ (child)));
}

/**
 * Return the node that can show the child: the next one, or a later one with the same key.
 * @param {ChildNode | null} next
 * @param {Drawable} child
 * @returns {ChildNode | null}
 */
function findMatch(next, child) {
  if (typeof child === "string") return next?.nodeType === Node.TEXT_NODE ? next : null;
  for (let node = next; node; node = node.nextSibling) {
    const known = drawn.get(node);
    if (known && known.key === child.key && node.nodeName.toLowerCase() === child.tag) return node;
    if (child.key === undefined) return null;
  }
  return null;
}

/** @param {Drawable} child @param {Element} parent @returns {ChildNode} */
function create(child, parent) {
  if (typeof child === "string") return document.createTextNode(child);
  const svg = child.tag === "svg" || (parent.namespaceURI === SVG && parent.nodeName !== "foreignObject");
  const element = svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  drawn.set(element, { props: {}, key: child.key });
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** @param {ChildNode} node @param {Drawable} child */
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
    if (value !== known.props[name] || USER_STATE.has(name)) set(element, name, value);
  }
  known.props = child.props;
  if (!("textContent" in child.props) && !element.tagName.includes("-")) draw(element, ...child.children);
}

const USER_STATE = new Set(["value", "checked", "open"]); // people change these themselves, so compare with the element

/** @param {Element} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (name === "style") setStyle(/** @type {HTMLElement} */ (element), value ?? {});
  else if (typeof value === "function" || typeof value === "object" || USER_STATE.has(name))
    assign(element, name, value);
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

/** A custom element that draws itself: `render` returns what it shows, and `update` draws it. */
export class Component extends HTMLElement {
  #scheduled = false;

  connectedCallback() {
    this.update();
  }

  /** Draw again, once for all changes of the same task. */
  update() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (!this.isConnected) return;
      this.show();
      this.rendered();
    });
  }

  /** Draw what `render` returns. */
  show() {
    draw(this, this.render());
  }

  /** @returns {Child} */
  render() {
    return null;
  }

  /** Called after every drawing. */
  rendered() {}
}
