import { type Entry, refsByField } from './entries.ts';

/** A record to make, and the fields that have to wait until what they refer to is there. */
export interface Step {
  readonly entry: Entry;
  readonly later: ReadonlySet<string>;
}

/** A record that cannot be made because each of several needs another one first. */
export class Circle extends Error {
  readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    super(`They need each other: ${entries.map(({ externalId }) => externalId).join(' → ')}.`);
    this.entries = entries;
  }
}

/**
 * Orders new records so that each comes after those it refers to, whatever the order of the files. Where records refer to each other in a
 * circle, a field that may be empty is filled in afterwards.
 *
 * @throws Circle when all fields of a circle are required.
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
    const at = this.#open.indexOf(entry);
    if (at >= 0) throw new Circle([...this.#open.slice(at), entry]);
    this.#open.push(entry);
    const refs = refsByField(entry);
    for (const [field, named] of refs) {
      if (isRequired(entry, field)) for (const target of this.#targets(named)) this.#visit(target);
    }
    const later = new Set<string>();
    for (const [field, named] of refs) {
      if (isRequired(entry, field)) continue;
      for (const target of this.#targets(named)) {
        if (this.#canGoFirst(target, new Set())) this.#visit(target);
        else later.add(field);
      }
    }
    this.#open.pop();
    this.#done.add(externalId);
    this.#steps.push({ entry, later });
  }

  /** New records among those named. */
  #targets(named: readonly string[]): Entry[] {
    return named.flatMap((externalId) => this.#entries.get(externalId) ?? []);
  }

  /** Whether a record can be made before those that are waiting now. */
  #canGoFirst(entry: Entry, seen: Set<Entry>): boolean {
    if (this.#done.has(entry.externalId)) return true;
    if (this.#open.includes(entry)) return false;
    if (seen.has(entry)) return true;
    seen.add(entry);
    for (const [field, named] of refsByField(entry)) {
      if (!isRequired(entry, field)) continue;
      if (!this.#targets(named).every((target) => this.#canGoFirst(target, seen))) return false;
    }
    return true;
  }
}

/** Lines made along with a record need what they refer to at once, too. */
function isRequired({ model, values }: Entry, name: string): boolean {
  const value = values[name];
  const isMade =
    Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null && 'create' in item);
  return isMade || (model.fields.get(name)?.required ?? false);
}
