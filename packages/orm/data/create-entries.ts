import { type Entry, isDescribed, refsIn, replaceRefs } from './entries.ts';
import { deleteExternalIds, insertExternalIds } from './external-ids.ts';
import type { Load } from './load.ts';
import { Circle, orderEntries, type Step } from './order.ts';
import { unitChecksums } from './units.ts';

/** Records made by one call. */
const mostAtOnce = 200;

/** Makes new records, each after those it refers to; then fills in what had to wait, and keeps what was shipped. */
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

/** Neighbours of one model that do not refer to each other, to be made together. Worked out one by one, as the ids become known. */
function* runs(load: Load, steps: readonly Step[]): Generator<Step[]> {
  let run: Step[] = [];
  const inRun = new Set<string>();
  for (const step of steps) {
    const { entry } = step;
    const waits = refsIn(Object.values(entry.values)).some((named) => inRun.has(named));
    if (run.length > 0 && (run[0]?.entry.model !== entry.model || waits || run.length >= mostAtOnce)) {
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

/** A record cannot be without one that somebody deleted for good. */
function isPossible(load: Load, { model, values }: Entry): boolean {
  return Object.entries(values).every(
    ([name, value]) => !model.fields.get(name)?.required || refsIn(value).every((named) => !isGone(load, named)),
  );
}

function isGone(load: Load, named: string): boolean {
  return load.externals.has(named) && !load.ids.has(named);
}

async function createRun(load: Load, run: readonly Step[]): Promise<void> {
  const { self } = load.bound(run[0]?.entry.model.name ?? '');
  try {
    const ids = await self.create(run.map((step) => valuesNow(load, step)));
    for (const [position, { entry }] of run.entries()) load.ids.set(entry.externalId, ids[position] ?? 0);
  } catch (error) {
    if (!isDescribed(error)) throw error;
    if (run.length === 1) load.problems.addError(run[0]?.entry ?? {}, error);
    // One by one, to say which it is.
    else for (const step of run) await createRun(load, [step]);
  }
}

/** The values that can be given already, with ids for external ids. */
function valuesNow(load: Load, { entry, later }: Step): Record<string, unknown> {
  const given = Object.entries(entry.values).filter(
    ([name, value]) => !later.has(name) && !refsIn(value).some((named) => isGone(load, named)),
  );
  return Object.fromEntries(
    given.map(([name, value]) => [name, replaceRefs(value, (named) => load.ids.get(named) ?? 0)]),
  );
}

async function fillIn(load: Load, entry: Entry, later: ReadonlySet<string>): Promise<void> {
  const id = load.ids.get(entry.externalId);
  if (later.size === 0 || id === undefined) return;
  const others = new Set(Object.keys(entry.values).filter((name) => !later.has(name)));
  try {
    await load.bound(entry.model.name).self.write(id, valuesNow(load, { entry, later: others }));
  } catch (error) {
    load.problems.addError(entry, error);
  }
}

async function remember(load: Load, steps: readonly Step[]): Promise<void> {
  const made = steps.flatMap(({ entry }) => {
    const recordId = load.ids.get(entry.externalId);
    return recordId === undefined ? [] : [{ entry, recordId }];
  });
  const stale = made.flatMap(({ entry }) => load.externals.get(entry.externalId)?.id ?? []);
  await deleteExternalIds(load.transaction, stale);
  for (const [model, ofModel] of Map.groupBy(made, ({ entry }) => entry.model)) {
    const checksums = await unitChecksums(load, model, ofModel);
    await insertExternalIds(
      load.transaction,
      ofModel.map(({ entry, recordId }) => ({
        ...partsOf(entry),
        source: load.source,
        model: model.name,
        recordId,
        noupdate: entry.noupdate,
        checksums: checksums.get(recordId) ?? {},
      })),
    );
  }
  load.result.created += made.length;
}

function partsOf({ externalId }: Entry): { addon: string; name: string } {
  const dot = externalId.indexOf('.');
  return { addon: externalId.slice(0, dot), name: externalId.slice(dot + 1) };
}
