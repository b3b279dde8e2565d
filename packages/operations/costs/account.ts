import { type CodeAccount, withAccount } from '@pergola/core';

/** Name of the platform among the addons. */
const PLATFORM = 'core';

/** Cost of an addon's code. */
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

/** The timeline of a process, shared by its accounts: only one of them runs at a time. */
export class Timeline {
  /** Reads the time, in ms. */
  readonly clock: () => number;
  /** Time in which the code of any account is known to have run, in ms. */
  busy = 0;
  /** The span of the latest event; null if it has been waiting since. */
  running: Span | null = null;
  /** The addon that threw an error: the innermost one that it passed. */
  readonly throwers = new WeakMap<Error, string>();

  constructor(clock: () => number) {
    this.clock = clock;
  }
}

/** State shared by all spans of one request or job. */
class Entry {
  readonly line: Timeline;
  readonly costs = new Map<string, Figures>();
  /** Share of `line.busy`. */
  busy = 0;
  /** The latest event, on the clock of the entry, which pauses while another account runs. */
  at: number;
  isClosed = false;
  /** Size of markup that is part of other markup. */
  nested = 0;
  readonly book: (page: string, costs: Costs) => void;

  constructor(line: Timeline, book: Entry['book']) {
    this.line = line;
    this.book = book;
    this.at = this.now();
  }

  now(): number {
    return this.line.clock() - this.line.busy + this.busy;
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
 * A call of an addon's code, with all it awaits.
 *
 * ```
 *  core ──▶ forum ──────▶ website ──▶ forum ───── query ─────▶ forum ──▶ core
 *     event        event         event      event       event       event
 * ```
 *
 * The time between two events of a request belongs to the addon whose code causes the second one: it has run or waited until then. If the
 * same span has caused both, and no other request an event in between, its code was running, and the clocks of the other requests
 * pause: a page isn't charged for its neighbours.
 */
export class Span implements CodeAccount {
  addon: string;
  #figures: Figures;
  readonly #entry: Entry;

  private constructor(entry: Entry, addon: string) {
    this.#entry = entry;
    this.addon = addon;
    this.#figures = entry.of(addon);
    entry.line.running = this;
  }

  /** Opens an account. `book` gets its costs at the end. */
  static open(line: Timeline, book: (page: string, costs: Costs) => void): CodeAccount {
    return new Span(new Entry(line, book), PLATFORM);
  }

  run<T>(addon: string, work: () => T): T {
    if (addon === this.addon) return work();
    this.#tick();
    const span = new Span(this.#entry, addon);
    let result: T;
    try {
      result = withAccount(span, work);
    } catch (error) {
      span.#end(this);
      throw this.#blame(error, addon);
    }
    span.#end(this);
    return result instanceof Promise ? (span.#settled(result, this) as T) : result;
  }

  runNow<T>(addon: string, work: () => T): T {
    const { addon: outer } = this;
    if (addon === outer) return work();
    this.#switch(addon);
    try {
      return work();
    } catch (error) {
      throw this.#blame(error, addon);
    } finally {
      this.#switch(outer);
    }
  }

  markup(addon: string, make: () => string): string {
    const entry = this.#entry;
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
    const figures = this.#figures;
    figures.queries += 1;
    try {
      const result = run();
      this.#pause();
      const { rows } = await result;
      figures.rows += rows.length;
      return result;
    } finally {
      this.#tick();
    }
  }

  sent(addon: string, bytes: number): void {
    this.#entry.of(addon).bytes += bytes;
  }

  failed(error: unknown): void {
    this.#entry.of(this.#blamed(error) ?? this.addon).errors += 1;
  }

  async outside<T>(wait: () => Promise<T>): Promise<T> {
    const entry = this.#entry;
    this.#pause();
    try {
      return await wait();
    } finally {
      entry.at = entry.now();
    }
  }

  timing(): string {
    this.#tick();
    return [...this.#entry.costs].map(([addon, { ms }]) => `${addon};dur=${ms.toFixed(1)}`).join(', ');
  }

  close(page: string | null): void {
    const entry = this.#entry;
    if (entry.isClosed) return;
    this.#pause();
    entry.isClosed = true;
    if (page !== null) entry.book(page, entry.costs);
  }

  /** Charges the time since the latest event to this span. */
  #tick(): void {
    const entry = this.#entry;
    if (entry.isClosed) return;
    const { line } = entry;
    const now = entry.now();
    const ms = now - entry.at;
    if (line.running === this) {
      line.busy += ms;
      entry.busy += ms;
    }
    this.#figures.ms += ms;
    entry.at = now;
    line.running = this;
  }

  /** Notes that this span waits from now on. */
  #pause(): void {
    this.#tick();
    this.#entry.line.running = null;
  }

  #switch(addon: string): void {
    this.#tick();
    this.addon = addon;
    this.#figures = this.#entry.of(addon);
  }

  /** Notes that the code of this span's caller runs. */
  #end(caller: Span): void {
    this.#tick();
    this.#entry.line.running = caller;
  }

  async #settled(result: Promise<unknown>, caller: Span): Promise<unknown> {
    try {
      return await result;
    } catch (error) {
      throw this.#blame(error, this.addon);
    } finally {
      this.#end(caller);
    }
  }

  #blame(error: unknown, addon: string): unknown {
    const { throwers } = this.#entry.line;
    if (Error.isError(error) && !throwers.has(error)) throwers.set(error, addon);
    return error;
  }

  /** The addon that threw an error, or its cause. */
  #blamed(error: unknown): string | undefined {
    if (!Error.isError(error)) return undefined;
    return this.#entry.line.throwers.get(error) ?? this.#blamed(error.cause);
  }
}
