/** One replacement in a source. */
export interface Edit {
  readonly at: number;
  /** Number of characters to remove. */
  readonly remove: number;
  readonly insert: string;
}

/** Applies edits to their source; insertions at the same offset keep their order. Undefined if two edits overlap. */
export function splice(source: string, edits: readonly Edit[]): string | undefined {
  const sorted = edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((a, b) => a.at - b.at || a.remove - b.remove || a.index - b.index);
  let text = '';
  let from = 0;
  for (const { at: offset, remove, insert } of sorted) {
    if (offset < from) return undefined;
    text += source.slice(from, offset) + insert;
    from = offset + remove;
  }
  return text + source.slice(from);
}
