import { type Entry, refsByField } from './entries.ts';

/** A record to create, and the fields that have to wait until the records they refer to exist. */
export interface Step {
  readonly entry: Entry;
  readonly later: ReadonlySet<string>;
}

/** Records that can't be created because each requires another one first. */
export class Circle extends Error {
  readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    super(`They need each other: ${entries.map(({ externalId }) => externalId).join(' → ')}.`);
    this.entries = entries;
  }
}

/**
 * Orders new records so that each comes after those it refers to, regardless of the order of the files. If records refer to each other in a
 * circle, a field that may be empty is filled in later.
 *
 * @throws Circle if all fields of a circle are required.
 */
export function orderEntries(entries: ReadonlyMap<string, Entry>): Step[] {
  return new Ordering(entries).order();
}

class Ordering {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #steps: Step[] = [];
  readonly #done = new Set<string>();
  readonly #open: Entry[] = [];

  constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries;
  }

  order(): Step[] {
    for (const entry of this.#entries.values()) this.#visit(entry);
    return this.#steps;
  }

  #visit(entry: Entry): void {
    const { externalId } = entry;
    if (this.#done.has(externalId)) return;
    const index = this.#open.indexOf(entry);
    if (index >= 0) throw new Circle([...this.#open.slice(index), entry]);
    this.#open.push(entry);
    const refs = refsByField(entry);
    for (const [field, externalIds] of refs) {
      if (isRequired(entry, field)) for (const target of this.#targets(externalIds)) this.#visit(target);
    }
    const later = new Set<string>();
    for (const [field, externalIds] of refs) {
      if (isRequired(entry, field)) continue;
      for (const target of this.#targets(externalIds)) {
        if (this.#canGoFirst(target, new Set())) this.#visit(target);
        else later.add(field);
      }
    }
    this.#open.pop();
    this.#done.add(externalId);
    this.#steps.push({ entry, later });
  }

  /** Returns the new records among the external ids. */
  #targets(externalIds: readonly string[]): Entry[] {
    return externalIds.flatMap((externalId) => this.#entries.get(externalId) ?? []);
  }

  /** Whether a record can be created before those in progress. */
  #canGoFirst(entry: Entry, seen: Set<Entry>): boolean {
    if (this.#done.has(entry.externalId)) return true;
    if (this.#open.includes(entry)) return false;
    if (seen.has(entry)) return true;
    seen.add(entry);
    for (const [field, externalIds] of refsByField(entry)) {
      if (!isRequired(entry, field)) continue;
      if (!this.#targets(externalIds).every((target) => this.#canGoFirst(target, seen))) return false;
    }
    return true;
  }
}

/** Lines created along with a record need their references immediately, too. */
function isRequired({ model, values }: Entry, name: string): boolean {
  const value = values[name];
  const isMade =
    Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null && 'create' in item);
  return isMade || (model.fields.get(name)?.required ?? false);
}
