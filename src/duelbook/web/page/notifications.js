// Notifications of the system: that it is your turn, while the page is in the background and if you want them.

import { prefs } from "./prefs.js";

/** Ask the browser for permission to show notifications; return whether there is one. */
export async function allowNotifications() {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/**
 * Show a notification if they are wanted and nobody looks at the page. A later one with the same tag replaces it.
 * @param {string} title
 * @param {string} body
 * @param {string} tag
 */
export function notifyInBackground(title, body, tag) {
  const allowed = "Notification" in window && Notification.permission === "granted";
  if (!prefs.notify || !allowed || !document.hidden) return;
  try {
    const notification = new Notification(title, { body, tag });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
    document.addEventListener("visibilitychange", () => notification.close(), { once: true });
  } catch {
    // phones show notifications only through a service worker
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, { body, tag }));
  }
}
