// The service worker: it keeps the files of one version of the page, so that the page opens at once, and also while the
// server cannot be reached. It never keeps what the server answers. The server fills in the address of the files.

/** @typedef {Event & {waitUntil(work: Promise<unknown>): void}} LifeEvent */
/** @typedef {LifeEvent & {request: Request, respondWith(response: Promise<Response>): void}} RequestEvent */

const BASE = "{base}"; // such as /static/0123456789ab/
const SHELL = `${BASE}shell.html`;
const PREFIX = "duelbook ";
const KEPT_VERSIONS = 2; // tabs that are open may still use the files of the version before
const PATIENCE_MS = 4000; // for the server to send a page
const GATEWAY_STATUSES = [502, 503, 504]; // a proxy answers, but the server behind it does not

const worker = /** @type {EventTarget & {skipWaiting(): Promise<void>, clients: {claim(): Promise<void>}}} */ (
  /** @type {unknown} */ (self)
);

worker.addEventListener("install", (event) => /** @type {LifeEvent} */ (event).waitUntil(install()));
worker.addEventListener("activate", (event) => /** @type {LifeEvent} */ (event).waitUntil(activate()));
worker.addEventListener("fetch", (event) => answer(/** @type {RequestEvent} */ (event)));

async function install() {
  const cache = await caches.open(PREFIX + BASE);
  /** @type {string[]} */
  const files = await (await fetch(`${BASE}files.json`)).json();
  await cache.addAll(files.map((file) => BASE + file));
  await worker.skipWaiting();
}

async function activate() {
  const versions = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + BASE);
  await Promise.all(versions.slice(0, -(KEPT_VERSIONS - 1)).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {RequestEvent} event */
function answer(event) {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(keptFile(request));
  else if (request.mode === "navigate" && !/^\/(?:api|pictures)\//.test(pathname)) event.respondWith(page(request));
}

/** Return a file; its address changes with its content, so that a kept one is never out of date. @param {Request} request */
async function keptFile(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * Return the page as the server sends it, which names the files of its own version; or the kept one, if the server does
 * not answer in time.
 * @param {Request} request
 */
async function page(request) {
  const sent = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  try {
    const response = await Promise.race([sent, late]);
    if (response instanceof Response && !GATEWAY_STATUSES.includes(response.status)) return response;
  } catch {
    // the server cannot be reached
  }
  return (await caches.match(SHELL)) ?? sent;
}
