/** Parts of an address with an optional display name. */
export interface WrittenAddress {
  /** In lower case; not necessarily valid, see `isEmailAddress`. */
  readonly email: string;
  /** Display name on one line; may be empty. */
  readonly name: string;
}

/**
 * Parses `ada@example.org`, `Ada Lovelace <ada@example.org>` and `"Lovelace, Ada" <ada@example.org>`. Rejects text with line breaks or
 * several addresses (C39).
 */
export function parseAddress(text: string): WrittenAddress {
  const line = text.trim();
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) return { email: '', name: '' };
  const opens = line.lastIndexOf('<');
  if (opens < 0 || !line.endsWith('>')) return { email: line.toLowerCase(), name: '' };
  const prefix = line.slice(0, opens);
  // Rejects lists of addresses.
  if (/[<>]/.test(prefix.replace(/"[^"]*"/g, ''))) return { email: '', name: '' };
  // Joiners are part of names; other invisible characters are not.
  const name = prefix
    .replace(/(?:(?![\u200c\u200d])[\p{Cf}"<>\\\s])+/gu, ' ')
    .trim()
    .slice(0, 120);
  return {
    email: line
      .slice(opens + 1, -1)
      .trim()
      .toLowerCase(),
    name,
  };
}
