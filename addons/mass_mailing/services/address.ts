/** An address as people write it, taken apart. */
export interface WrittenAddress {
  /** In small letters; whether mail can be sent to it is for `isEmailAddress` to say. */
  readonly email: string;
  /** What stood before it, on one line; empty when there was nothing. */
  readonly name: string;
}

/** Nothing that holds a line break or two addresses is an address (C39). Reads `ada@example.org`, `Ada Lovelace <ada@example.org>` and `"Lovelace, Ada" <ada@example.org>`. */
export function parseAddress(text: string): WrittenAddress {
  const line = text.trim();
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) return { email: '', name: '' };
  const opens = line.lastIndexOf('<');
  if (opens < 0 || !line.endsWith('>')) return { email: line.toLowerCase(), name: '' };
  const before = line.slice(0, opens);
  // A second address is no name: whoever gives a list gives no address.
  if (/[<>]/.test(before.replace(/"[^"]*"/g, ''))) return { email: '', name: '' };
  // Joiners are part of names; other invisible characters are not.
  const name = before
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
