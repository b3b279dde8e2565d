import { transcode } from 'node:buffer';

/** Below this length, the usual way is as fast; above the limit, a buffer isn't worth keeping. */
const MIN_LENGTH = 1000;
const MAX_LENGTH = 250_000;
/** Scratch buffer for encoding; its content isn't used after a conversion. */
const scratch = Buffer.allocUnsafeSlow(2 * MAX_LENGTH);

/**
 * Encodes a text as UTF-8. V8 measures a text and encodes it character by character; writing it as UTF-16 and converting that in blocks
 * takes a fifth to a half of the time for a page.
 */
export function utf8(text: string): Buffer {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return Buffer.from(text);
  try {
    return transcode(scratch.subarray(0, scratch.write(text, 'utf16le')), 'utf16le', 'utf8') as Buffer;
  } catch {
    // An unpaired surrogate, which becomes a replacement character.
    return Buffer.from(text);
  }
}
