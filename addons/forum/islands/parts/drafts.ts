/** Drafts older than this are forgotten, in milliseconds. */
const KEPT = 30 * 86_400_000;

/** What somebody typed and has not posted yet, by the names of the fields; kept in their browser. */
export interface Draft {
  readonly at: number;
  /** What the form held when it was opened; on a form that holds something else the draft has no place any more. */
  readonly base: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  /** It was sent; whether it arrived is seen when the post is shown. */
  readonly sent?: boolean;
}

/** The draft of this name; null when there is none, when it is old, or when the browser keeps nothing. */
export function readDraft(name: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null');
    return isDraft(draft) && Date.now() - draft.at < KEPT ? draft : null;
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it (null). Answers whether the browser did. */
export function keepDraft(name: string, draft: Draft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), JSON.stringify(draft));
    return true;
  } catch {
    // A browser that keeps nothing is no reason to disturb who writes.
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
