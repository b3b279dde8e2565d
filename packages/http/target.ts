import { parseQuery, type RawQuery } from './routes/query.ts';
import { decodeText } from './security/safe-path.ts';

/** What a request line asks for. */
export interface Target {
  /** As it was sent, still percent-encoded; starts with `/`. */
  readonly path: string;
  /** Without its `?`; empty when there is none. */
  readonly query: string;
  readonly parameters: RawQuery;
  /** Decoded once; null where decoding makes it ambiguous (`.` and `..` segments, backslashes): such a path is no file of ours. */
  readonly file: string | null;
}

/**
 * Takes a request line's target apart. Null for what no browser sends and no route means: bad percent-encoding, control characters, a fragment,
 * `*`. The host of an absolute target is not looked at here (`Guards.resolveHost` does).
 */
export function parseTarget(address: string): Target | null {
  const sent = address.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, '');
  const target = sent === '' || sent.startsWith('?') ? `/${sent}` : sent;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (!path.startsWith('/') || target.includes('#')) return null;
  const decoded = decodeText(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (decoded === null || /[\u0000-\u001f\u007f]/.test(decoded)) return null;
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { path, query, parameters: parseQuery(query), file: isFilePath(decoded) ? decoded : null };
}

function isFilePath(decoded: string): boolean {
  return !/\\|(^|\/)\.{1,2}(\/|$)|\/\//.test(decoded);
}
