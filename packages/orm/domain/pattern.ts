type Token = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'any' } | { readonly kind: 'one' };

/** How a database is asked: LIKE (SQLite's takes A and a for the same, PostgreSQL's does not) or SQLite's GLOB, which does not. */
export type Syntax = 'like' | 'glob';

/** What `like` and `ilike` look for: the text itself anywhere, `%` and `_` being ordinary letters. */
export function containing(text: string, syntax: Syntax): string {
  return written([{ kind: 'any' }, { kind: 'text', text }, { kind: 'any' }], syntax);
}

/** What `=like` and `=ilike` look for: `%` for any letters, `_` for one, `\` before either for itself. */
export function matching(pattern: string, syntax: Syntax, adapt: (text: string) => string): string {
  const tokens: Token[] = [];
  for (const [whole, escaped] of pattern.matchAll(/\\(.)|[^%_\\]+|[%_\\]/gsu)) {
    if (escaped !== undefined) tokens.push({ kind: 'text', text: adapt(escaped) });
    else if (whole === '%') tokens.push({ kind: 'any' });
    else if (whole === '_') tokens.push({ kind: 'one' });
    else tokens.push({ kind: 'text', text: adapt(whole) });
  }
  return written(tokens, syntax);
}

function written(tokens: readonly Token[], syntax: Syntax): string {
  return tokens
    .map((token) => {
      if (token.kind === 'any') return syntax === 'glob' ? '*' : '%';
      if (token.kind === 'one') return syntax === 'glob' ? '?' : '_';
      return syntax === 'glob' ? token.text.replace(/[*?[]/g, '[$&]') : token.text.replace(/[\\%_]/g, '\\$&');
    })
    .join('');
}

/** Lower case of A to Z only, the same on both databases. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
