/** Characters shown on each side of the nearest match. */
const AROUND = 300;
/** Received texts up to this length are printed whole. */
const MAX_LENGTH = 2_000;

/** Shortens the received text in the failure of `toContain` or `toMatch`, such as a whole page, to the part most like the expected one. */
export function shortFailure(message: string): string {
  const [, expected = ''] = /^Expected (?:substring|pattern): *(?:not )?(.*)$/m.exec(message) ?? [];
  const [, label = '', received = ''] = /^(Received string: *)(".*")/ms.exec(message) ?? [];
  if (expected === '' || received.length <= MAX_LENGTH) return message;
  const { start, end } = matched(received, expected) ?? nearest(received, expected.replace(/^["/]|["/]\w*$/g, ''));
  const from = Math.max(0, start - AROUND);
  const to = Math.min(received.length, end + AROUND);
  const excerpt = `${from > 0 ? '…' : ''}${received.slice(from, to)}${to < received.length ? '…' : ''}`;
  return message.replace(
    label + received,
    () => `${label}${excerpt}\n(${received.length} characters; shown: the most similar part)`,
  );
}

/** Place that matches a pattern which should not, or null. */
function matched(text: string, pattern: string): { readonly start: number; readonly end: number } | null {
  const [, source, flags] = /^\/(.*)\/(\w*)$/.exec(pattern) ?? [];
  const match = source === undefined ? null : new RegExp(source, flags).exec(text);
  return match && { start: match.index, end: match.index + match[0].length };
}

/** Place in a text of the longest part of another text. */
function nearest(text: string, other: string): { readonly start: number; readonly end: number } {
  let part = '';
  for (let index = 0; index + part.length < other.length; index += 1) {
    let size = part.length + 1;
    while (index + size <= other.length && text.includes(other.slice(index, index + size))) size += 1;
    part = size - 1 > part.length ? other.slice(index, index + size - 1) : part;
  }
  const start = text.indexOf(part);
  return { start, end: start + part.length };
}
