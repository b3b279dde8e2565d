/** Returns a key to send along with a change, so that its author can undo it at once. */
export function newChangeKey(): string {
  // `randomUUID` is missing on pages without HTTPS.
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
