import { type Entry, isDescribed, refsIn, replaceRefs } from './entries.ts';
import { deleteExternalIds, insertExternalIds } from './external-ids.ts';
import type { Load } from './load.ts';
import { Circle, orderEntries, type Step } from './order.ts';
import { unitChecksums } from './units.ts';

/** Maximum number of records per create call. */
const maxPerCall = 200;

/** Creates new records, each after the records it refers to; then fills in deferred fields, and stores external ids and checksums. */
export async function createEntries(load: Load, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const steps = ordered(load, entries);
  for (const run of runs(load, steps)) await createRun(load, run);
  if (load.problems.list.length > 0) return;
  for (const { entry, later } of steps) await fillIn(load, entry, later);
  await remember(load, steps);
}

function ordered(load: Load, entries: ReadonlyMap<string, Entry>): Step[] {
  try {
    return orderEntries(entries);
  } catch (error) {
    if (!(error instanceof Circle)) throw error;
    const [first] = error.entries;
    load.problems.add(first ?? {}, error.message, 'Let one of the fields be empty, or leave one out.');
    return [];
  }
}

/**
 * Yields consecutive records of one model that don't refer to each other, to be created together. Lazily, because ids become known along
 * the way.
 */
function* runs(load: Load, steps: readonly Step[]): Generator<Step[]> {
  let run: Step[] = [];
  const inRun = new Set<string>();
  for (const step of steps) {
    const { entry } = step;
    const waits = refsIn(Object.values(entry.values)).some((externalId) => inRun.has(externalId));
    if (run.length > 0 && (run[0]?.entry.model !== entry.model || waits || run.length >= maxPerCall)) {
      yield run;
      run = [];
      inRun.clear();
    }
    if (!isPossible(load, entry)) continue;
    run.push(step);
    inRun.add(entry.externalId);
  }
  if (run.length > 0) yield run;
}

/** A record can't be created if a required reference was deleted permanently. */
function isPossible(load: Load, { model, values }: Entry): boolean {
  return Object.entries(values).every(
    ([name, value]) =>
      !model.fields.get(name)?.required || refsIn(value).every((externalId) => !isGone(load, externalId)),
  );
}

function isGone(load: Load, externalId: string): boolean {
  return load.externals.has(externalId) && !load.ids.has(externalId);
}

async function createRun(load: Load, run: readonly Step[]): Promise<void> {
  const { self } = load.bound(run[0]?.entry.model.name ?? '');
  try {
    const ids = await self.create(run.map((step) => valuesNow(load, step)));
    for (const [position, { entry }] of run.entries()) load.ids.set(entry.externalId, ids[position] ?? 0);
  } catch (error) {
    if (!isDescribed(error)) throw error;
    if (run.length === 1) load.problems.addError(run[0]?.entry ?? {}, error);
    // One at a time, to find out which record is at fault.
    else for (const step of run) await createRun(load, [step]);
  }
}

/** Returns the values that can be set now, with ids in place of external ids. */
function valuesNow(load: Load, { entry, later }: Step): Record<string, unknown> {
  const available = Object.entries(entry.values).filter(
    ([name, value]) => !later.has(name) && !refsIn(value).some((externalId) => isGone(load, externalId)),
  );
  return Object.fromEntries(
    available.map(([name, value]) => [name, replaceRefs(value, (externalId) => load.ids.get(externalId) ?? 0)]),
  );
}

async function fillIn(load: Load, entry: Entry, later: ReadonlySet<string>): Promise<void> {
  const id = load.ids.get(entry.externalId);
  if (later.size === 0 || id === undefined) return;
  const initialFields = new Set(Object.keys(entry.values).filter((name) => !later.has(name)));
  try {
    await load.bound(entry.model.name).self.write(id, valuesNow(load, { entry, later: initialFields }));
  } catch (error) {
    load.problems.addError(entry, error);
  }
}

async function remember(load: Load, steps: readonly Step[]): Promise<void> {
  const created = steps.flatMap(({ entry }) => {
    const recordId = load.ids.get(entry.externalId);
    return recordId === undefined ? [] : [{ entry, recordId }];
  });
  const stale = created.flatMap(({ entry }) => load.externals.get(entry.externalId)?.id ?? []);
  await deleteExternalIds(load.transaction, stale);
  for (const [model, modelRecords] of Map.groupBy(created, ({ entry }) => entry.model)) {
    const checksums = await unitChecksums(load, model, modelRecords);
    await insertExternalIds(
      load.transaction,
      modelRecords.map(({ entry, recordId }) => ({
        ...partsOf(entry),
        source: load.source,
        model: model.name,
        recordId,
        noupdate: entry.noupdate,
        checksums: checksums.get(recordId) ?? {},
      })),
    );
  }
  load.result.created += created.length;
}

function partsOf({ externalId }: Entry): { addon: string; name: string } {
  const dot = externalId.indexOf('.');
  return { addon: externalId.slice(0, dot), name: externalId.slice(dot + 1) };
}
