/** A rate limit: `calls` in any `seconds`. */
export interface Window {
  readonly calls: number;
  readonly seconds: number;
}

/** Reply of a counter to a batch of calls. */
export interface Count {
  readonly granted: number;
  /** Milliseconds until another call is allowed; 0 if one is allowed now. */
  readonly waitMs: number;
  /** Calls that still count, as text. */
  readonly text: string;
}

/** A window is divided into this many slots; counts are at most one slot too strict, and never too lax. */
const slots = 100;
/** How far another node's clock may be ahead, in slots: the length of a window. */
const slotsAhead = slots;

/**
 * Counts calls in a sliding window: no period of `seconds` contains more than `calls`. Stored as `slot:calls,slot:calls`, so that a counter
 * stays small however high its limit. A call counts until its whole slot is older than the window. Slots ahead of `now` come from a clock
 * that was temporarily fast, and don't count: otherwise they would block calls for as long as it was ahead.
 */
export function countCalls(counterText: string, window: Window, requested: number, now: number): Count {
  const width = (window.seconds * 1_000) / slots;
  const endOf = (slot: number): number => (slot + 1 + slots) * width;
  const currentSlot = Math.floor(now / width);
  const slotCounts = parse(counterText).filter(([slot]) => endOf(slot) > now && slot <= currentSlot + slotsAhead);
  const used = slotCounts.reduce((sum, [, calls]) => sum + calls, 0);
  const granted = Math.max(0, Math.min(requested, window.calls - used));
  if (granted > 0) {
    const last = slotCounts.at(-1);
    if (last && last[0] >= currentSlot) last[1] += granted;
    else slotCounts.push([currentSlot, granted]);
  }
  return {
    granted,
    waitMs: waitOf(slotCounts, window, endOf, now),
    text: slotCounts.map((pair) => pair.join(':')).join(','),
  };
}

/** The counter without its latest call. */
export function withoutLatest(counterText: string): string {
  const slotCounts = parse(counterText);
  const last = slotCounts.at(-1);
  if (last) last[1] -= 1;
  return slotCounts
    .filter(([, calls]) => calls > 0)
    .map((pair) => pair.join(':'))
    .join(',');
}

function waitOf(
  slotCounts: readonly [slot: number, calls: number][],
  { calls: limit }: Window,
  endOf: (slot: number) => number,
  now: number,
): number {
  let used = slotCounts.reduce((sum, [, calls]) => sum + calls, 0);
  let wait = 0;
  for (const [slot, calls] of slotCounts) {
    if (used < limit) break;
    used -= calls;
    wait = Math.ceil(endOf(slot) - now);
  }
  return wait;
}

function parse(text: string): [slot: number, calls: number][] {
  if (text === '') return [];
  return text.split(',').map((pair) => {
    const [slot, calls] = pair.split(':');
    return [Number(slot), Number(calls)];
  });
}
