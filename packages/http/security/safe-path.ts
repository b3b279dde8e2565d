/** No legitimate path is longer. */
const MAX_LENGTH = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: rejects these characters
const unsafe = /[\u0000-\u0020\u007f\u2028\u2029\\]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: rejects these characters
const unsafeDecoded = /^\/\/|[\u0000-\u001f\u007f\\]/;

/**
 * Returns the text as a path of this site (with query and hash), or `/` for anything else: an address of another host in any disguise
 * (`//evil`, `/\evil`, encoded once or more, a scheme), or a text with control characters, spaces or backslashes. For every "redirect to"
 * parameter (C40).
 *
 * ```ts
 * safePath('/shop?page=2#top'); // the same
 * safePath('https://evil.example/'); // '/'
 * ```
 */
export function safePath(text: unknown): string {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !text.startsWith('/') || unsafe.test(text)) return '/';
  if (!isPlain(text.replace(/[?#].*$/, ''))) return '/';
  const url = URL.parse(text, 'http://site.invalid');
  // Parsing resolves `..`, so `/..//evil` and `/./%2fevil` are only recognisable afterwards.
  if (url?.host !== 'site.invalid' || url.protocol !== 'http:' || !isPlain(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

/** Whether the path stays a path however often a proxy or script decodes it. */
function isPlain(path: string): boolean {
  let seen = path;
  for (let round = 0; round < 5; round++) {
    if (unsafeDecoded.test(seen)) return false;
    const next = decodeText(seen);
    // A lone `%` after the first round is meant as a percent sign.
    if (next === null) return round > 0;
    if (next === seen) return true;
    seen = next;
  }
  return false;
}

/** Percent-decoded text, or null if it is invalid. */
export function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
