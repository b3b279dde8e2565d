/** Shortens a text to one line of at most `max` characters, including the ellipsis, at a word boundary. */
export function shortened(text: string, max: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).replace(/\s+\S*$/, '')}…`;
}
