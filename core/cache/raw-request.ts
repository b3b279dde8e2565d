/** What the door needs of a request's headers. */
export interface RawRequest {
  readonly cookie: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

/**
 * Reads headers off the list in which they came: making `req.headers` of them costs more than all the rest of answering a kept page. Null for
 * requests that have to go the long way: with credentials, with a body, or with one of these headers twice.
 */
export function readRaw(rawHeaders: readonly string[]): RawRequest | null {
  let cookie: string | undefined;
  let ifNoneMatch: string | undefined;
  let acceptEncoding: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    switch (name.length) {
      case 'cookie'.length:
        if (!is(name, 'cookie')) break;
        if (cookie !== undefined) return null;
        cookie = value;
        break;
      case 'if-none-match'.length:
        if (is(name, 'authorization')) return null;
        if (!is(name, 'if-none-match')) break;
        if (ifNoneMatch !== undefined) return null;
        ifNoneMatch = value;
        break;
      case 'content-length'.length:
        if (is(name, 'content-length')) return null;
        break;
      case 'accept-encoding'.length:
        if (!is(name, 'accept-encoding')) break;
        if (acceptEncoding !== undefined) return null;
        acceptEncoding = value;
        break;
      case 'transfer-encoding'.length:
        if (is(name, 'transfer-encoding')) return null;
        break;
    }
  }
  return { cookie, ifNoneMatch, acceptEncoding };
}

/** One header by its lower-case name; undefined when it is not there, null when it is there more than once. */
export function rawHeader(rawHeaders: readonly string[], wanted: string): string | null | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== wanted.length || !is(name, wanted)) continue;
    if (found !== undefined) return null;
    found = rawHeaders[at + 1];
  }
  return found;
}

function is(name: string, wanted: string): boolean {
  return name === wanted || name.toLowerCase() === wanted;
}
