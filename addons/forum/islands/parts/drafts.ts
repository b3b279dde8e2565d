/** Maximum age of drafts, in milliseconds. */
const KEPT = 30 * 86_400_000;

/** Unsent input by field name, stored in the browser. */
export interface Draft {
  readonly at: number;
  /** Field values when the form was opened. A draft only fits a form with the same initial values. */
  readonly base: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  /** Set when the form was submitted; the draft is deleted once the post is visible. */
  readonly sent?: boolean;
}

/** Reads a draft by name; null if it is missing or expired, or storage is unavailable. */
export function readDraft(name: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null');
    return isDraft(draft) && Date.now() - draft.at < KEPT ? draft : null;
  } catch {
    return null;
  }
}

/** Stores a draft, or deletes it (null). Returns whether storage is available. */
export function keepDraft(name: string, draft: Draft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), JSON.stringify(draft));
    return true;
  } catch {
    // Unavailable storage shouldn't interrupt the author.
    return false;
  }
}

function keyOf(name: string): string {
  return `forum.draft.${name}`;
}

function isDraft(value: unknown): value is Draft {
  return (
    value instanceof Object && 'at' in value && 'base' in value && 'values' in value && value.values instanceof Object
  );
}
