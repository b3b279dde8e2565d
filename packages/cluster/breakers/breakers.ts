import { createHmac } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { type CodeFolder, declaredAt, type Log, placesIn, type Tracker } from '@pergola/core';
import { Breaker, type BreakerMemory, type CallKey } from './breaker.ts';
import { attempt, causesOf, isFault } from './faults.ts';
import { BREAKER_TABLE, type BreakerKind, type StoredBreaker } from './store.ts';

/** A part of an addon that can be switched off alone. */
export interface GuardedPart {
  readonly addon: string;
  readonly kind: BreakerKind;
  readonly name: string;
  /** Its declaration, to report where it is if an error doesn't tell. */
  readonly declared?: object;
  /** Its place, if it isn't code. */
  readonly place?: () => { readonly file: string; readonly line: number };
}

/** Properties of a call, to distinguish faults of all calls from faults of some. */
export interface GuardedCall {
  /** Network of the visitor; null for work without one. */
  readonly visitor: string | null;
  /** Input of the call, such as its address, parameters or options. Any value; only a hash is stored. */
  readonly input: unknown;
}

export interface BreakersOptions {
  /** Addons with their versions; parts of others are never switched off. */
  readonly addons: readonly (CodeFolder & { readonly version: string })[];
  /** Pause before the first trial, in ms; 0 never switches anything off. */
  readonly pauseMs: number;
  /** Key for hashes of visitors and inputs. */
  readonly secret: string;
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>;
  /** Stores a breaker, or forgets a closed one. */
  readonly save: (row: StoredBreaker) => Promise<void>;
}

interface Entry {
  readonly part: GuardedPart;
  readonly breaker: Breaker;
  fault: Pick<StoredBreaker, 'message' | 'file' | 'line'>;
  isStored: boolean;
}

/** Characters of an error's message that are kept. */
const MAX_MESSAGE = 500;

/** Switches parts of addons off while they keep failing; see README.md. */
export class Breakers {
  readonly #options: BreakersOptions;
  readonly #addons: ReadonlyMap<string, BreakersOptions['addons'][number]>;
  /** Parts that have failed lately. */
  readonly #entries = new Map<string, Entry>();
  /** Errors that a part inside another has been charged with. */
  readonly #charged = new WeakSet<object>();

  constructor(options: BreakersOptions) {
    this.#options = options;
    this.#addons = new Map(options.pauseMs > 0 ? options.addons.map((addon) => [addon.name, addon]) : []);
  }

  /**
   * Runs work of a part. If it fails, returns the result of `instead`, which gets the error; without one, the part is off. Refusals and
   * failures that aren't the part's are thrown.
   */
  guard<T>(part: GuardedPart, call: GuardedCall, work: () => T, instead: (error?: unknown) => T): T {
    if (this.blocks(part, call)) return instead();
    return attempt(
      work,
      (error) => {
        if (!this.isChargeable(error)) throw error;
        return this.fail(part, call, error) ? instead() : instead(error);
      },
      () => this.succeed(part, call),
    );
  }

  /** Whether no part has failed lately. */
  get isQuiet(): boolean {
    return this.#entries.size === 0;
  }

  /** Whether an error is a fault of code, and no part has been charged with it. */
  isChargeable(error: unknown): boolean {
    return isFault(error) && !(Error.isError(error) && this.#charged.has(error));
  }

  /** Whether a part must not run for this call. */
  blocks(part: GuardedPart, call: GuardedCall): boolean {
    const breaker = this.#entryOf(part)?.breaker;
    return breaker?.state === 'open' && breaker.blocks(this.#keyOf(call), Date.now());
  }

  /** Whether a part is off for this call, and isn't due to be tried again. */
  isOff(part: GuardedPart, call: GuardedCall): boolean {
    const breaker = this.#entryOf(part)?.breaker;
    return breaker?.state === 'open' && Date.now() < breaker.retryAt && breaker.isOffFor(this.#keyOf(call));
  }

  /** Records that a part has worked. */
  succeed(part: GuardedPart, call: GuardedCall): void {
    const entry = this.#entryOf(part);
    if (entry) this.#change(entry, ({ breaker }) => breaker.succeed(this.#keyOf(call), Date.now()));
  }

  /** Charges a part with an error. Returns whether it is off now. */
  fail(part: GuardedPart, call: GuardedCall, error: unknown): boolean {
    if (!this.#addons.has(part.addon)) return false;
    if (Error.isError(error)) this.#charged.add(error);
    const entry = this.#entryOf(part) ?? { part, breaker: this.#breaker(), fault: NO_FAULT, isStored: false };
    this.#entries.set(nameOf(part), entry);
    entry.fault = this.#faultOf(part, error);
    this.#change(entry, ({ breaker }) => breaker.fail(this.#keyOf(call), Date.now()), error);
    return entry.breaker.state === 'open';
  }

  /** Time of a part's next trial, in ms since 1970. */
  retryAt(part: GuardedPart): number {
    return this.#entryOf(part)?.breaker.retryAt ?? 0;
  }

  /** Records that a page lacks a part that is off: the page is only kept until the part is tried again. */
  note(tracker: Tracker | null | undefined, part: GuardedPart): void {
    if (!tracker) return;
    const breaker = this.#entryOf(part)?.breaker;
    if (!breaker?.isOffForAll) tracker.personal(`its ${part.kind} ${part.name} is off for some visitors`);
    tracker.table(BREAKER_TABLE);
    tracker.until(new Date(breaker?.retryAt ?? 0));
  }

  /** Whether an error was thrown by code of an addon, judging by the innermost call in any addon. */
  isFrom(addon: string, error: unknown): boolean {
    return this.#placeOf(error)?.owner.name === addon;
  }

  /** Names of the parts known to be stored. */
  get stored(): ReadonlySet<string> {
    return new Set([...this.#entries].flatMap(([name, { isStored }]) => (isStored ? name : [])));
  }

  /** Follows the stored breakers: adds new ones, and removes names in `previous` that are no longer stored. */
  follow(rows: readonly StoredBreaker[], previous: ReadonlySet<string> = new Set()): void {
    const names = new Set(rows.map(nameOf));
    for (const name of previous) if (!names.has(name)) this.#entries.delete(name);
    for (const row of rows) {
      const { addon, kind, name, message, file, line } = row;
      const existing = this.#entries.get(nameOf(row));
      if (existing?.isStored || this.#addons.get(addon)?.version !== row.version) continue;
      const breaker = this.#breaker({ ...row, since: row.since.getTime() });
      const part = existing?.part ?? { addon, kind, name };
      this.#entries.set(nameOf(row), { part, breaker, fault: { message, file, line }, isStored: true });
    }
  }

  #breaker(memory?: BreakerMemory): Breaker {
    return new Breaker(this.#options.pauseMs, memory);
  }

  #entryOf(part: GuardedPart): Entry | undefined {
    // Called for every request, almost always without any breaker.
    return this.isQuiet ? undefined : this.#entries.get(nameOf(part));
  }

  #keyOf({ visitor, input }: GuardedCall): CallKey {
    return { visitor: this.#hash(visitor ?? ''), input: this.#hash(textOf(input)) };
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#options.secret).update(text).digest('hex').slice(0, 16);
  }

  /** Changes a breaker; if its state changes, logs and stores that. */
  #change(entry: Entry, change: (entry: Entry) => void, error?: unknown): void {
    const { breaker, part, fault } = entry;
    const { log, save } = this.#options;
    const previous = scopeOf(breaker);
    change(entry);
    if (previous === scopeOf(breaker)) return;
    const { state, errors, since, visitors, inputs } = breaker.memory;
    const { addon, kind, name } = part;
    const details = { addon, kind, name, ...fault };
    if (state === 'open') log.error({ ...details, err: error }, 'A part of an app keeps failing and is off');
    else if (state === 'closed') {
      log.info(details, 'A part of an app works again');
      this.#entries.delete(nameOf(part));
    }
    const version = this.#addons.get(addon)?.version ?? '';
    const row = { addon, kind, name, version, state, errors, since: new Date(since), ...fault, visitors, inputs };
    void save(row).then(
      () => {
        entry.isStored = true;
      },
      (cause: unknown) => log.warn({ ...details, err: cause }, 'A part that is off or on again could not be stored'),
    );
  }

  #faultOf(part: GuardedPart, error: unknown): Entry['fault'] {
    const message = (Error.isError(error) ? error.message : String(error)).slice(0, MAX_MESSAGE);
    const owner = this.#addons.get(part.addon);
    const place = part.place ? undefined : this.#placeOf(error);
    if (place && owner)
      return { message, file: relative(owner.folder, resolve(place.owner.folder, place.file)), line: place.line };
    const { declared, name } = part;
    const { file, line } = part.place?.() ?? (declared && owner ? declaredAt(declared, owner, [], name) : {});
    return { message, file: file ?? null, line: line ?? null };
  }

  /** The innermost call in an addon that an error or one of its causes names. */
  #placeOf(error: unknown) {
    const folders = [...this.#addons.values()];
    for (const cause of causesOf(error)) {
      const place = Error.isError(cause) ? placesIn(cause.stack ?? '', folders).next().value : undefined;
      if (place) return place;
    }
    return undefined;
  }
}

const NO_FAULT: Entry['fault'] = { message: '', file: null, line: null };

function nameOf({ addon, kind, name }: Pick<GuardedPart, 'addon' | 'kind' | 'name'>): string {
  return `${addon} ${kind} ${name}`;
}

/** State, reach and next trial of a breaker: whatever is worth storing. */
function scopeOf({ state, isOffForAll, retryAt }: Breaker): string {
  return `${state} ${isOffForAll} ${retryAt}`;
}

function textOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return '';
  }
}
