/** Shortens a text to one line of at most `most` characters, including the ellipsis, at a word boundary. */
export function shortened(text: string, most: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).replace(/\s+\S*$/, '')}…`;
}
