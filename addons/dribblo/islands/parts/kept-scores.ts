/** A result that couldn't be sent, with the title of its match. */
export interface KeptScore {
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
}

const PREFIX = 'club-score-';

/** Stores a result on this phone, by match number. */
export function keep(mnbr: string, score: KeptScore): void {
  localStorage.setItem(PREFIX + mnbr, JSON.stringify(score));
}

export function forget(mnbr: string): void {
  localStorage.removeItem(PREFIX + mnbr);
}

/** Returns the stored result of a match, or null. */
export function kept(mnbr: string): KeptScore | null {
  const text = localStorage.getItem(PREFIX + mnbr);
  return text === null ? null : (JSON.parse(text) as KeptScore);
}

/** Numbers of the matches with pending results on this phone. */
export function waiting(): string[] {
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
}
