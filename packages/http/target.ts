import { parseQuery, type RawQuery } from './routes/query.ts';
import { decodeText } from './security/safe-path.ts';

/** Parsed target of a request line. */
export interface Target {
  /** As sent, still percent-encoded; starts with `/`. */
  readonly path: string;
  /** Without its `?`; may be empty. */
  readonly query: string;
  readonly parameters: RawQuery;
  /** Decoded once, or null if decoding makes it ambiguous (`.` and `..` segments, backslashes): no static file has such a path. */
  readonly file: string | null;
}

/**
 * Parses a request target. Returns null for targets that browsers don't send and routes don't match: bad percent-encoding, control
 * characters, a fragment, `*`. Doesn't check the host of an absolute target (`Guards.resolveHost` does).
 */
export function parseTarget(address: string): Target | null {
  const sent = address.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, '');
  const target = sent === '' || sent.startsWith('?') ? `/${sent}` : sent;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (!path.startsWith('/') || target.includes('#')) return null;
  const decoded = decodeText(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejects these characters
  if (decoded === null || /[\u0000-\u001f\u007f]/.test(decoded)) return null;
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { path, query, parameters: parseQuery(query), file: isFilePath(decoded) ? decoded : null };
}

function isFilePath(decoded: string): boolean {
  return !/\\|(^|\/)\.{1,2}(\/|$)|\/\//.test(decoded);
}
