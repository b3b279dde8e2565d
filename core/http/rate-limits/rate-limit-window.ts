/** How often something may happen: `calls` in any `seconds`. */
export interface Window {
  readonly calls: number;
  readonly seconds: number;
}

/** The calls that still count: how many in which slot, the oldest first. */
export type Calls = readonly (readonly [slot: number, calls: number])[];

/** What a counter says after it was asked for so many calls at once. */
export interface Count {
  readonly granted: number;
  /** Milliseconds until one more call is let through; 0 when one could be at once. */
  readonly waitMs: number;
  readonly calls: Calls;
}

/** A window is cut into so many slots; what is counted is at most one slot too strict, and never too lax. */
const slots = 100;

/** Counts calls of a sliding window: no `seconds` anywhere hold more than `calls`. A call counts until the whole of its slot is older than the window. */
export function countCalls(kept: Calls, window: Window, asked: number, now: number): Count {
  const width = (window.seconds * 1_000) / slots;
  const endOf = (slot: number): number => (slot + 1 + slots) * width;
  const counted = kept.filter(([slot]) => endOf(slot) > now);
  const used = counted.reduce((sum, [, calls]) => sum + calls, 0);
  const granted = Math.max(0, Math.min(asked, window.calls - used));
  if (granted > 0) {
    const slot = Math.floor(now / width);
    const last = counted.at(-1)?.[0] === slot ? counted.pop() : undefined;
    counted.push([slot, (last?.[1] ?? 0) + granted]);
  }
  return { granted, waitMs: waitOf(counted, window, endOf, now), calls: counted };
}

/** The counter without its latest call. */
export function withoutLatest(kept: Calls): Calls {
  const last = kept.at(-1);
  if (!last) return kept;
  const [slot, calls] = last;
  return calls > 1 ? [...kept.slice(0, -1), [slot, calls - 1]] : kept.slice(0, -1);
}

/** As a counter is kept in the database, `slot:calls,slot:calls`: small however high its limit. */
export function callsText(calls: Calls): string {
  return calls.map((pair) => pair.join(':')).join(',');
}

export function parseCalls(text: string): Calls {
  if (text === '') return [];
  return text.split(',').map((pair) => {
    const [slot, calls] = pair.split(':');
    return [Number(slot), Number(calls)];
  });
}

function waitOf(counted: Calls, { calls: limit }: Window, endOf: (slot: number) => number, now: number): number {
  let used = counted.reduce((sum, [, calls]) => sum + calls, 0);
  let wait = 0;
  for (const [slot, calls] of counted) {
    if (used < limit) break;
    used -= calls;
    wait = Math.ceil(endOf(slot) - now);
  }
  return wait;
}
