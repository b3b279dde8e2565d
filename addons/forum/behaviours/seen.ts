/** Half an hour in which a visit counts once. */
const ONCE = 30 * 60_000;

/** Tells the server that somebody reads a question (`[data-forum-seen]`, where to say so); once in half an hour for each browser. */
export default function seen(element: HTMLElement): void {
  const address = element.dataset.forumSeen;
  if (!address || wasHere(address)) return;
  void fetch(address, { method: 'POST', keepalive: true }).catch(() => {
    // A view that is not counted is no loss to who reads.
  });
}

function wasHere(address: string): boolean {
  const key = `forum.seen.${address}`;
  try {
    const last = Number(sessionStorage.getItem(key));
    if (Date.now() - last < ONCE) return true;
    sessionStorage.setItem(key, String(Date.now()));
  } catch {
    // Counted then.
  }
  return false;
}
