/** A result that could not be sent, with what its match is called. */
export interface KeptScore {
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
}

const PREFIX = 'club-score-';

/** Keeps a result on this phone, by the number of its match. */
export function keep(mnbr: string, score: KeptScore): void {
  localStorage.setItem(PREFIX + mnbr, JSON.stringify(score));
}

export function forget(mnbr: string): void {
  localStorage.removeItem(PREFIX + mnbr);
}

/** What was kept for a match; null for nothing. */
export function kept(mnbr: string): KeptScore | null {
  const text = localStorage.getItem(PREFIX + mnbr);
  return text === null ? null : (JSON.parse(text) as KeptScore);
}

/** Numbers of the matches whose results wait on this phone. */
export function waiting(): string[] {
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
}
