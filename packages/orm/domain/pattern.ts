type Token = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'any' } | { readonly kind: 'one' };

/** SQL operator of a pattern: LIKE (case-insensitive in SQLite, not in PostgreSQL) or SQLite's case-sensitive GLOB. */
export type Syntax = 'like' | 'glob';

/** Returns the pattern for `like` and `ilike`: the literal text anywhere, including `%` and `_`. */
export function containing(text: string, syntax: Syntax): string {
  return patternOf([{ kind: 'any' }, { kind: 'text', text }, { kind: 'any' }], syntax);
}

/** Returns the pattern for `=like` and `=ilike`: `%` matches any text, `_` one character, and `\` escapes both. */
export function matching(pattern: string, syntax: Syntax, adapt: (text: string) => string): string {
  const tokens: Token[] = [];
  for (const [token, escaped] of pattern.matchAll(/\\(.)|[^%_\\]+|[%_\\]/gsu)) {
    if (escaped !== undefined) tokens.push({ kind: 'text', text: adapt(escaped) });
    else if (token === '%') tokens.push({ kind: 'any' });
    else if (token === '_') tokens.push({ kind: 'one' });
    else tokens.push({ kind: 'text', text: adapt(token) });
  }
  return patternOf(tokens, syntax);
}

function patternOf(tokens: readonly Token[], syntax: Syntax): string {
  return tokens
    .map((token) => {
      if (token.kind === 'any') return syntax === 'glob' ? '*' : '%';
      if (token.kind === 'one') return syntax === 'glob' ? '?' : '_';
      return syntax === 'glob' ? token.text.replace(/[*?[]/g, '[$&]') : token.text.replace(/[\\%_]/g, '\\$&');
    })
    .join('');
}

/** Lowercases A to Z only, the same on both databases. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
