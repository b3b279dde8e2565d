/** Where somebody is in a tour; kept by the browser, so that a tour goes on over several pages. */
export interface TourState {
  readonly id: string;
  /** Counted from 0. */
  readonly step: number;
}

/** Its name in the browser's storage. */
export const STORED = 'tour';

export function readTour(): TourState | null {
  try {
    const state: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof state !== 'object' || state === null || !('id' in state) || !('step' in state)) return null;
    const { id, step } = state;
    return typeof id === 'string' && typeof step === 'number' ? { id, step } : null;
  } catch {
    // No storage (a private window, say), or somebody else's value in it.
    return null;
  }
}

/** null ends the tour. */
export function writeTour(state: TourState | null): void {
  try {
    if (state) localStorage.setItem(STORED, JSON.stringify(state));
    else localStorage.removeItem(STORED);
  } catch {
    // Without storage a tour ends with its page.
  }
}

const asked = /^tutorial\.([\w.-]{1,100})=true$/;

/** The tour an address asks for, `#tutorial.event=true`, or null. */
export function tutorialOf(hash: string): string | null {
  for (const part of partsOf(hash)) {
    const id = asked.exec(part)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

/** The hash without it. */
export function withoutTutorial(hash: string): string {
  const rest = partsOf(hash).filter((part) => !asked.test(part));
  return rest.length === 0 ? '' : `#${rest.join('&')}`;
}

function partsOf(hash: string): string[] {
  return hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '');
}
