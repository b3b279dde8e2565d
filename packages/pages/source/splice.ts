/** One replacement in a source. */
export interface Edit {
  readonly at: number;
  /** How many characters go. */
  readonly remove: number;
  readonly insert: string;
}

/** Applies edits to the source they were made for; several insertions at one place keep their order. Undefined when two of them overlap. */
export function splice(source: string, edits: readonly Edit[]): string | undefined {
  const sorted = edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((a, b) => a.at - b.at || a.remove - b.remove || a.index - b.index);
  let text = '';
  let from = 0;
  for (const { at, remove, insert } of sorted) {
    if (at < from) return undefined;
    text += source.slice(from, at) + insert;
    from = at + remove;
  }
  return text + source.slice(from);
}
