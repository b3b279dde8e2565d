/** Progress in a tour, stored in the browser so that tours can span pages. */
export interface TourState {
  readonly id: string;
  /** Starts at 0. */
  readonly step: number;
}

/** Storage key. */
export const STORED = 'tour';

export function readTour(): TourState | null {
  try {
    const state: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof state !== 'object' || state === null || !('id' in state) || !('step' in state)) return null;
    const { id, step } = state;
    return typeof id === 'string' && typeof step === 'number' ? { id, step } : null;
  } catch {
    // Storage is blocked (for example in a private window) or contains a foreign value.
    return null;
  }
}

/** Null ends the tour. */
export function writeTour(state: TourState | null): void {
  try {
    if (state) localStorage.setItem(STORED, JSON.stringify(state));
    else localStorage.removeItem(STORED);
  } catch {
    // Without storage the tour ends with the page.
  }
}

const tutorialPattern = /^tutorial\.([\w.-]{1,100})=true$/;

/** Tour id in an address hash such as `#tutorial.event=true`, or null. */
export function tutorialOf(hash: string): string | null {
  for (const part of partsOf(hash)) {
    const id = tutorialPattern.exec(part)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

/** Hash without the tour. */
export function withoutTutorial(hash: string): string {
  const otherParts = partsOf(hash).filter((part) => !tutorialPattern.test(part));
  return otherParts.length === 0 ? '' : `#${otherParts.join('&')}`;
}

function partsOf(hash: string): string[] {
  return hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '');
}
