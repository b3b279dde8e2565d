import { type OpenAccount, withAccount } from '@pergola/core';

/** Name of the platform among the addons. */
export const PLATFORM = 'core';

/** What an addon's code cost. */
export interface Figures {
  /** Time in which its own code ran or waited, in ms. */
  ms: number;
  queries: number;
  rows: number;
  /** Size of its markup, in characters, and of its scripts, styles and other files, in bytes as sent. */
  bytes: number;
  errors: number;
}

export function noFigures(): Figures {
  return { ms: 0, queries: 0, rows: 0, bytes: 0, errors: 0 };
}

/** Figures of one request or job, by addon. */
export type Costs = ReadonlyMap<string, Figures>;

/** The time line of a process, which all of its accounts share: only one of them runs at a time. */
export class TimeLine {
  /** Time in which the code of any account is known to have run, in ms. */
  busy = 0;
  #running: Span | null = null;
  #turn: NodeJS.Immediate | null = null;

  /** Span that has run since the last event; null if several may have run since, or none. */
  get running(): Span | null {
    return this.#running;
  }

  set running(span: Span | null) {
    this.#running = span;
    if (span !== null) this.#turn ??= setImmediate(this.#endTurn);
  }

  /** After a turn of the event loop, code that was running may wait. */
  readonly #endTurn = (): void => {
    this.#turn = null;
    this.#running = null;
  };
}

/** What all spans of one request or job share. */
class Entry {
  readonly line: TimeLine;
  readonly costs = new Map<string, Figures>();
  /** Spans that run or wait now, without those that wait for another span. */
  readonly active: Span[] = [];
  /** Share of `line.busy`. */
  busy = 0;
  /** Last event, on the clock of the entry: it stands still while another account runs. */
  at: number;
  /** Whether nothing is measured: the entry is closed, or the visitor sets the pace. */
  isStill = false;
  /** Size of markup that is part of other markup. */
  nested = 0;
  readonly book: (page: string, costs: Costs) => void;
  readonly #throwers = new WeakMap<Error, string>();

  constructor(line: TimeLine, book: Entry['book']) {
    this.line = line;
    this.book = book;
    this.at = this.now();
  }

  now(): number {
    return performance.now() - this.line.busy + this.busy;
  }

  /** Remembers which addon threw an error: the innermost one that it passes. */
  blame(error: unknown, addon: string): unknown {
    if (Error.isError(error) && !this.#throwers.has(error)) this.#throwers.set(error, addon);
    return error;
  }

  /** The addon that threw an error, or its cause. */
  blamed(error: unknown): string | undefined {
    return Error.isError(error) ? (this.#throwers.get(error) ?? this.blamed(error.cause)) : undefined;
  }

  of(addon: string): Figures {
    let figures = this.costs.get(addon);
    if (!figures) {
      figures = noFigures();
      this.costs.set(addon, figures);
    }
    return figures;
  }
}

/**
 * A piece of an addon's code, with all it awaits.
 *
 * Each moment of a request belongs to the addon whose code runs or is waited for: to the innermost span. If there are several, side by side,
 * it belongs to those that don't wait for the database, in equal parts. Where one span is known to have run without pause (from one event of
 * its own to the next), the time is all its own, and isn't counted as waiting time of other requests.
 */
export class Span implements OpenAccount {
  addon: string;
  readonly #entry: Entry;
  readonly #parent: Span | null;
  #children = 0;
  #queries = 0;
  #hasEnded = false;

  private constructor(entry: Entry, addon: string, parent: Span | null) {
    this.#entry = entry;
    this.addon = addon;
    this.#parent = parent;
    entry.active.push(this);
  }

  /** Opens an account. `book` gets its costs at the end. */
  static open(line: TimeLine, book: (page: string, costs: Costs) => void): Span {
    const span = new Span(new Entry(line, book), PLATFORM, null);
    line.running = span;
    return span;
  }

  run<T>(addon: string, work: () => T): T {
    const entry = this.#entry;
    if (entry.isStill || addon === this.addon) return work();
    this.#tick();
    this.#suspend();
    const span = new Span(entry, addon, this);
    entry.line.running = span;
    let result: T;
    try {
      result = withAccount(span, work);
    } catch (error) {
      span.#end();
      throw entry.blame(error, addon);
    }
    if (!(result instanceof Promise)) {
      span.#end();
      return result;
    }
    span.#tick();
    entry.line.running = this;
    const settled = result.then(
      (value: unknown) => {
        span.#end();
        return value;
      },
      (error: unknown) => {
        span.#end();
        throw entry.blame(error, addon);
      },
    );
    return settled as T;
  }

  runNow<T>(addon: string, work: () => T): T {
    const entry = this.#entry;
    const { addon: outer } = this;
    if (entry.isStill || addon === outer) return work();
    this.#tick();
    this.addon = addon;
    try {
      return work();
    } catch (error) {
      throw entry.blame(error, addon);
    } finally {
      this.#tick();
      this.addon = outer;
    }
  }

  markup(addon: string, make: () => string): string {
    const entry = this.#entry;
    if (entry.isStill) return make();
    const { nested } = entry;
    entry.nested = 0;
    let length = 0;
    try {
      const html = this.runNow(addon, make);
      length = html.length;
      entry.of(addon).bytes += Math.max(0, length - entry.nested);
      return html;
    } finally {
      entry.nested = nested + length;
    }
  }

  async query<T extends { readonly rows: readonly unknown[] }>(run: () => Promise<T>): Promise<T> {
    const entry = this.#entry;
    if (entry.isStill) return run();
    const figures = entry.of(this.addon);
    figures.queries += 1;
    this.#tick();
    this.#queries += 1;
    try {
      const running = run();
      this.#tick();
      entry.line.running = null;
      const result = await running;
      figures.rows += result.rows.length;
      return result;
    } finally {
      this.#wake();
      this.#queries -= 1;
    }
  }

  sent(addon: string, bytes: number): void {
    this.#entry.of(addon).bytes += bytes;
  }

  failed(error: unknown): void {
    this.#entry.of(this.#entry.blamed(error) ?? this.addon).errors += 1;
  }

  async outside<T>(wait: () => Promise<T>): Promise<T> {
    const entry = this.#entry;
    if (entry.isStill) return wait();
    this.#tick();
    entry.isStill = true;
    entry.line.running = null;
    try {
      return await wait();
    } finally {
      entry.isStill = false;
      entry.at = entry.now();
    }
  }

  timing(): string {
    this.#tick();
    return [...this.#entry.costs].map(([addon, { ms }]) => `${addon};dur=${ms.toFixed(1)}`).join(', ');
  }

  close(page: string | null): void {
    const entry = this.#entry;
    if (entry.isStill) return;
    this.#wake();
    entry.isStill = true;
    entry.line.running = null;
    if (page !== null) entry.book(page, entry.costs);
  }

  /** Notes that this span is running now. */
  #tick(): void {
    const entry = this.#entry;
    if (entry.isStill) return;
    const { line } = entry;
    const now = entry.now();
    const ms = now - entry.at;
    if (line.running === this) {
      line.busy += ms;
      entry.busy += ms;
      entry.of(this.addon).ms += ms;
    } else this.#share(ms);
    entry.at = now;
    line.running = this;
  }

  /** Notes that this span runs from now on; what ran before isn't known. */
  #wake(): void {
    const entry = this.#entry;
    if (entry.isStill) return;
    const now = entry.now();
    this.#share(now - entry.at);
    entry.at = now;
    entry.line.running = this;
  }

  #share(ms: number): void {
    const entry = this.#entry;
    const { active } = entry;
    if (active.length === 1) {
      entry.of((active[0] as Span).addon).ms += ms;
      return;
    }
    const awake = active.filter((span) => span.#queries === 0);
    const spans = awake.length > 0 ? awake : active;
    for (const span of spans) entry.of(span.addon).ms += ms / spans.length;
  }

  #suspend(): void {
    this.#children += 1;
    const { active } = this.#entry;
    const index = this.#children === 1 ? active.indexOf(this) : -1;
    if (index >= 0) active.splice(index, 1);
  }

  /** Ends this span; its parent runs on, even if spans it didn't await still run. */
  #end(): void {
    this.#tick();
    this.#hasEnded = true;
    const { active, line } = this.#entry;
    const index = active.indexOf(this);
    if (index >= 0) active.splice(index, 1);
    const parent = this.#parent;
    if (!parent) return;
    parent.#children -= 1;
    if (parent.#children === 0 && !parent.#hasEnded) active.push(parent);
    line.running = parent;
  }
}
