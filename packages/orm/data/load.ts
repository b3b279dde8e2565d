import { BrokenAddons, type Ctx, contextTools } from '@pergola/core';
import { DatabaseMisuse, databaseSession, type Transaction } from '@pergola/db';
import { boundOf } from '../bind.ts';
import type { BoundModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import { models } from '../points.ts';
import { existing } from '../write/rights.ts';
import { unknownRef } from './check.ts';
import { createEntries } from './create-entries.ts';
import { DataProblems, type Entry, readEntries, refsIn, type ShippedSet } from './entries.ts';
import { type ExternalId, externalIdsOf, findExternalId, parseExternalId } from './external-ids.ts';
import { sourceLanguage } from './units.ts';
import { removeDropped, updateEntries } from './update-entries.ts';

export interface LoadOptions {
  /** `upgrade` also takes away what is no longer shipped. */
  readonly mode: 'install' | 'upgrade';
  /** Which data of the addon it is (`data`, `demo`, `reflect`): each knows its own records only. Default `data`. */
  readonly kind?: string;
}

/** How many records were made, brought up to date, left as somebody changed them, and taken away. */
export interface LoadResult {
  created: number;
  updated: number;
  kept: number;
  removed: number;
}

/** What the parts of a load share. */
export interface Load {
  readonly addon: string;
  /** `forum/data` */
  readonly source: string;
  readonly transaction: Transaction;
  readonly problems: DataProblems;
  readonly result: LoadResult;
  /** External ids that are known already. */
  readonly externals: Map<string, ExternalId>;
  /** Records by external id, also those made a moment ago. */
  readonly ids: Map<string, Id>;
  hasModel(model: string): boolean;
  bound(model: string): BoundModel;
}

/**
 * Makes the records an addon ships, or brings them up to date.
 *
 * Records refer to each other by external id in any order, also in circles. Of a record that is there already, values change that were shipped
 * differently last time and that nobody changed since; records that say `noupdate` are made once and never touched again, even when they are
 * deleted, but for what other addons ship about them: the fields that those bring. With `upgrade`, records no longer shipped go, unless somebody changed them or they are in use.
 *
 * Runs in the context's transaction with rights lifted: what an addon ships is not limited by what the user may do who enables it.
 *
 * @throws BrokenAddons with every problem, naming file, record and field.
 */
export async function loadData(
  ctx: Ctx,
  addon: string,
  sets: readonly ShippedSet[],
  { mode, kind = 'data' }: LoadOptions,
): Promise<LoadResult> {
  const { transaction } = ctx.get(databaseSession);
  const { generation } = ctx.get(contextTools);
  if (!transaction) throw new DatabaseMisuse(`Data of ${addon} was to be loaded where nothing may be written.`);
  const system = ctx.sudo().as({ lang: sourceLanguage, attributes: { shippedBy: addon } });
  const folder = generation.addons.find(({ name }) => name === addon)?.folder;
  const problems = new DataProblems(addon, folder);
  const entries = await readEntries(system, generation.get(models), addon, sets, problems);
  const load: Load = {
    addon,
    source: `${addon}/${kind}`,
    transaction,
    problems,
    result: { created: 0, updated: 0, kept: 0, removed: 0 },
    externals: await externalIdsOf(transaction, [addon, ...[...entries.keys()].map((id) => id.split('.')[0] ?? '')]),
    ids: new Map(),
    hasModel: (model) => generation.get(models).get(model) !== undefined,
    bound: (model) => boundOf(generation.get(models).bind(system, model)),
  };
  await resolveRefs(load, entries);
  stopAtProblems(problems);
  const { fresh, known } = await sort(load, entries);
  stopAtProblems(problems);
  await createEntries(load, fresh);
  stopAtProblems(problems);
  await updateEntries(load, known);
  if (mode === 'upgrade') await removeDropped(load, entries);
  stopAtProblems(problems);
  return load.result;
}

/** Records that are there, and those to be made. What is made once and was deleted since is neither. */
async function sort(load: Load, entries: ReadonlyMap<string, Entry>) {
  const fresh = new Map<string, Entry>();
  const known = new Map<Entry, ExternalId>();
  const lost = await withoutRecord(load, entries);
  for (const [externalId, entry] of entries) {
    const external = load.externals.get(externalId);
    if (!external || lost.has(externalId)) {
      fresh.set(externalId, entry);
    } else if (external.model !== entry.model.name) {
      load.problems.add(
        entry,
        `It was a “${external.model}” and is now a “${entry.model.name}”.`,
        'Take another external id.',
      );
    } else if (external.recordId !== null) {
      known.set(entry, external);
    }
  }
  return { fresh, known };
}

/** External ids whose record went without the model layer hearing of it; they are made again. */
async function withoutRecord(load: Load, entries: ReadonlyMap<string, Entry>): Promise<Set<string>> {
  const lost = new Set<string>();
  const byModel = Map.groupBy(
    [...entries.values()].filter(({ externalId }) => load.ids.has(externalId)),
    ({ model }) => model,
  );
  for (const [model, ofModel] of byModel) {
    const ids = ofModel.map(({ externalId }) => load.ids.get(externalId) ?? 0);
    const there = await existing(load.bound(model.name), ids);
    for (const { externalId } of ofModel) {
      const id = load.ids.get(externalId);
      if (id === undefined || there.has(id)) continue;
      load.ids.delete(externalId);
      lost.add(externalId);
    }
  }
  return lost;
}

/** Looks up what is there already of what the records refer to, and reports what is nowhere. */
async function resolveRefs(load: Load, entries: ReadonlyMap<string, Entry>): Promise<void> {
  for (const [externalId, { recordId }] of load.externals) {
    if (recordId !== null) load.ids.set(externalId, recordId);
  }
  const asked = new Map<string, boolean>();
  for (const entry of entries.values()) {
    for (const [field, value] of Object.entries(entry.values)) {
      for (const named of refsIn(value)) {
        if (entries.has(named) || load.externals.has(named)) continue;
        if (!asked.has(named)) asked.set(named, await lookUp(load, named));
        if (asked.get(named)) continue;
        load.problems.add(entry, ...unknownRef(field, named, await shippedBeside(load, entries, named)));
      }
    }
  }
}

/** External ids of the addon that a wrong one names. */
async function shippedBeside(load: Load, entries: ReadonlyMap<string, Entry>, named: string): Promise<string[]> {
  const owner = named.split('.')[0] ?? '';
  const known = await externalIdsOf(load.transaction, [owner]);
  return [...known.keys(), ...entries.keys()].filter((id) => id.startsWith(`${owner}.`));
}

async function lookUp(load: Load, named: string): Promise<boolean> {
  const parsed = parseExternalId(named);
  const found = parsed && (await findExternalId(load.transaction, parsed.addon, parsed.name));
  if (!found) return false;
  load.externals.set(named, found);
  if (found.recordId !== null) load.ids.set(named, found.recordId);
  return true;
}

function stopAtProblems({ list }: DataProblems): void {
  if (list.length > 0) throw new BrokenAddons(list);
}
