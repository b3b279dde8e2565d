/** Parsed site address in canonical form, so that equal addresses compare equal. */
export interface WebAddress {
  /** Encoded, without a trailing slash. */
  readonly path: string;
  /** As written, without the question mark. */
  readonly query: string;
  readonly params: readonly (readonly [name: string, value: string])[];
}

/** Maximum query parameters used to look up redirects; the others are passed on. */
const mostParams = 10;

/** Parses path and query of an address, without the hash. */
export function parseAddress(text: string): WebAddress {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/s.exec(text.trim()) ?? [];
  return { path: encodedPath(path), query, params: [...new URLSearchParams(query)] };
}

/** Address as text: equal for addresses that differ only in the order or encoding of their parameters. */
export function addressKey({ path, params }: Pick<WebAddress, 'path' | 'params'>): string {
  const sorted = params.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return params.length > 0 ? `${path}?${queryText(sorted)}` : path;
}

/** Parameters as a query string, without the question mark. */
export function queryText(params: WebAddress['params']): string {
  return String(new URLSearchParams(params.map(([name, value]) => [name, value])));
}

/** Keys of all redirects that can match: the path alone, with the whole query, and with any one or two of its parameters. */
export function keysOf({ path, params }: Pick<WebAddress, 'path' | 'params'>): string[] {
  const lookupParams = params.slice(0, mostParams);
  const pairs = lookupParams.flatMap((first, index) => lookupParams.slice(index + 1).map((second) => [first, second]));
  const choices = [params, ...pairs, ...lookupParams.map((param) => [param]), []];
  return [...new Set(choices.map((choice) => addressKey({ path, params: choice })))];
}

/**
 * Path normalised according to RFC 3986, section 6.2.2: unreserved characters are decoded, others encoded with capital letters, dot
 * segments resolved. Repeated slashes become one, and a trailing slash is removed.
 */
export function encodedPath(text: string): string {
  const [path = ''] = text.trim().split(/[?#]/, 1);
  const url = path.startsWith('/') ? URL.parse(`http://site.invalid${path}`) : null;
  if (url?.host !== 'site.invalid') return path;
  return url.pathname
    .replace(/%([0-9a-f]{2})/gi, (code, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w.~!$&'()*+,;=:@-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/(?<=.)\/{2,}/g, '/')
    .replace(/(?<=.)\/+$/, '');
}
