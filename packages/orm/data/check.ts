import { didYouMean, type Problem } from '@pergola/core';
import type { Connection } from '@pergola/db';
import type { ModelRegistry } from '../registry.ts';
import { DataProblems, type Entry, entriesOf, refsIn, type ShippedSet, type WrittenSet } from './entries.ts';
import { externalIdsOf } from './external-ids.ts';

/** Records that an addon is about to ship. */
export interface Shipment {
  readonly addon: string;
  /** The addon's folder, for line numbers in problems. */
  readonly folder: string;
  readonly sets: readonly ShippedSet[];
}

/** The site that shipments go to. */
export interface Destination {
  readonly registry: ModelRegistry;
  /** External ids of records created from other declarations of addons, such as groups. */
  readonly declared: Iterable<string>;
  /** Whether the database already has all records expected before the shipment: no migration will add any. */
  readonly isSettled: boolean;
}

/**
 * Finds faults of shipped records without creating them: missing models, fields and external ids. Records returned by functions, and
 * references to them, are only checked when loaded.
 */
export async function shipmentProblems(
  connection: Connection,
  shipments: readonly Shipment[],
  { registry, declared, isSettled }: Destination,
): Promise<Problem[]> {
  const shipped = shipments.map(({ addon, folder, sets }) => {
    const problems = new DataProblems(addon, folder);
    const literalSets = sets.filter((set): set is WrittenSet => typeof set.records !== 'function');
    return {
      addon,
      problems,
      entries: entriesOf(registry, addon, literalSets, problems),
      isWhole: literalSets.length === sets.length,
    };
  });
  const knownIds = new Set([...declared, ...shipped.flatMap(({ entries }) => [...entries.keys()])]);
  const addonsWithFunctions = new Set(shipped.filter(({ isWhole }) => !isWhole).map(({ addon }) => addon));
  const stored = new Map<string, ReadonlySet<string>>();
  const storedOf = async (owner: string): Promise<ReadonlySet<string>> => {
    const ids = stored.get(owner) ?? new Set((await externalIdsOf(connection, [owner])).keys());
    stored.set(owner, ids);
    return ids;
  };
  for (const { entries, problems } of isSettled ? shipped : []) {
    for (const [entry, field, id] of refsOf(entries)) {
      const owner = id.split('.', 1)[0] ?? '';
      if (knownIds.has(id) || addonsWithFunctions.has(owner) || (await storedOf(owner)).has(id)) continue;
      const candidates = [...knownIds, ...(await storedOf(owner))].filter((candidate) =>
        candidate.startsWith(`${owner}.`),
      );
      problems.add(entry, ...unknownRef(field, id, candidates));
    }
  }
  return shipped.flatMap(({ problems }) => problems.list);
}

function refsOf(entries: ReadonlyMap<string, Entry>): (readonly [Entry, string, string])[] {
  return [...entries.values()].flatMap((entry) =>
    Object.entries(entry.values).flatMap(([field, value]) => refsIn(value).map((id) => [entry, field, id] as const)),
  );
}

/** Returns message and remedy for a reference to a record that doesn't exist. */
export function unknownRef(field: string, id: string, candidates: Iterable<string>): [message: string, remedy: string] {
  return [
    `${field}: it refers to “${id}”, which does not exist.`,
    didYouMean(id, candidates) || 'Correct it, or depend on the addon that ships it.',
  ];
}
