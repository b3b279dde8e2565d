import { didYouMean, type Problem } from '@pergola/core';
import type { Connection } from '@pergola/db';
import type { ModelRegistry } from '../registry.ts';
import { DataProblems, type Entry, entriesOf, refsIn, type ShippedSet, type WrittenSet } from './entries.ts';
import { externalIdsOf } from './external-ids.ts';

/** Records that an addon is about to ship. */
export interface Shipment {
  readonly addon: string;
  /** The addon's folder, to name lines. */
  readonly folder: string;
  readonly sets: readonly ShippedSet[];
}

/** What is known of the site that gets shipments. */
export interface Destination {
  readonly registry: ModelRegistry;
  /** External ids of the records made of what addons declare, such as groups. */
  readonly declared: Iterable<string>;
  /** Whether the database has all records that it will have before the shipment: no migration adds some. */
  readonly isSettled: boolean;
}

/**
 * Faults of shipped records that show without making them: models, fields and external ids that don't exist. Records that a function makes are
 * checked when they are loaded, and so is what refers to them.
 */
export async function shipmentProblems(
  connection: Connection,
  shipments: readonly Shipment[],
  { registry, declared, isSettled }: Destination,
): Promise<Problem[]> {
  const shipped = shipments.map(({ addon, folder, sets }) => {
    const problems = new DataProblems(addon, folder);
    const written = sets.filter((set): set is WrittenSet => typeof set.records !== 'function');
    return {
      addon,
      problems,
      entries: entriesOf(registry, addon, written, problems),
      isWhole: written.length === sets.length,
    };
  });
  const known = new Set([...declared, ...shipped.flatMap(({ entries }) => [...entries.keys()])]);
  const open = new Set(shipped.filter(({ isWhole }) => !isWhole).map(({ addon }) => addon));
  const stored = new Map<string, ReadonlySet<string>>();
  const storedOf = async (owner: string): Promise<ReadonlySet<string>> => {
    const ids = stored.get(owner) ?? new Set((await externalIdsOf(connection, [owner])).keys());
    stored.set(owner, ids);
    return ids;
  };
  for (const { entries, problems } of isSettled ? shipped : []) {
    for (const [entry, field, id] of refsOf(entries)) {
      const owner = id.split('.', 1)[0] ?? '';
      if (known.has(id) || open.has(owner) || (await storedOf(owner)).has(id)) continue;
      const near = [...known, ...(await storedOf(owner))].filter((other) => other.startsWith(`${owner}.`));
      problems.add(entry, ...unknownRef(field, id, near));
    }
  }
  return shipped.flatMap(({ problems }) => problems.list);
}

function refsOf(entries: ReadonlyMap<string, Entry>): (readonly [Entry, string, string])[] {
  return [...entries.values()].flatMap((entry) =>
    Object.entries(entry.values).flatMap(([field, value]) => refsIn(value).map((id) => [entry, field, id] as const)),
  );
}

/** Message and remedy for a reference to a record that doesn't exist. */
export function unknownRef(field: string, id: string, near: Iterable<string>): [message: string, remedy: string] {
  return [
    `${field}: it refers to “${id}”, which does not exist.`,
    didYouMean(id, near) || 'Correct it, or depend on the addon that ships it.',
  ];
}
