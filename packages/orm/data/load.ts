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
  /** `upgrade` also removes records that are no longer shipped. */
  readonly mode: 'install' | 'upgrade';
  /** Kind of the addon's data (`data`, `demo`, `reflect`): each kind only manages its own records. Default `data`. */
  readonly kind?: string;
}

/** Number of records created, updated, kept because of local changes, and removed. */
export interface LoadResult {
  created: number;
  updated: number;
  kept: number;
  removed: number;
}

/** State shared by the steps of a load. */
export interface Load {
  readonly addon: string;
  /** `forum/data` */
  readonly source: string;
  readonly transaction: Transaction;
  readonly problems: DataProblems;
  readonly result: LoadResult;
  /** External ids that already exist. */
  readonly externals: Map<string, ExternalId>;
  /** Records by external id, including those created during this load. */
  readonly ids: Map<string, Id>;
  hasModel(model: string): boolean;
  bound(model: string): BoundModel;
}

/**
 * Creates or updates the records an addon ships.
 *
 * Records may refer to each other by external id in any order, also in circles. In existing records, values are updated if they are shipped
 * differently than last time and haven't been changed since. Records with `noupdate` are created once and never updated, even after they
 * are deleted; only fields added by other addons' data are. With `upgrade`, records that are no longer shipped are removed, unless they
 * were changed or are in use.
 *
 * Runs in the context's transaction with rights lifted: shipped records aren't limited by the rights of the user who enables the addon.
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
  const { fresh, installed } = await sort(load, entries);
  stopAtProblems(problems);
  await createEntries(load, fresh);
  stopAtProblems(problems);
  await updateEntries(load, installed);
  if (mode === 'upgrade') await removeDropped(load, entries);
  stopAtProblems(problems);
  return load.result;
}

/** Separates existing records from those to create. Deleted records that are created only once are skipped. */
async function sort(load: Load, entries: ReadonlyMap<string, Entry>) {
  const fresh = new Map<string, Entry>();
  const installed = new Map<Entry, ExternalId>();
  const orphaned = await withoutRecord(load, entries);
  for (const [externalId, entry] of entries) {
    const external = load.externals.get(externalId);
    if (!external || orphaned.has(externalId)) {
      fresh.set(externalId, entry);
    } else if (external.model !== entry.model.name) {
      load.problems.add(
        entry,
        `It was a “${external.model}” and is now a “${entry.model.name}”.`,
        'Take another external id.',
      );
    } else if (external.recordId !== null) {
      installed.set(entry, external);
    }
  }
  return { fresh, installed };
}

/** Returns external ids whose record was deleted without the model layer; they are created again. */
async function withoutRecord(load: Load, entries: ReadonlyMap<string, Entry>): Promise<Set<string>> {
  const orphaned = new Set<string>();
  const byModel = Map.groupBy(
    [...entries.values()].filter(({ externalId }) => load.ids.has(externalId)),
    ({ model }) => model,
  );
  for (const [model, modelEntries] of byModel) {
    const ids = modelEntries.map(({ externalId }) => load.ids.get(externalId) ?? 0);
    const existingIds = await existing(load.bound(model.name), ids);
    for (const { externalId } of modelEntries) {
      const id = load.ids.get(externalId);
      if (id === undefined || existingIds.has(id)) continue;
      load.ids.delete(externalId);
      orphaned.add(externalId);
    }
  }
  return orphaned;
}

/** Looks up existing records that the shipped ones refer to, and reports references to missing records. */
async function resolveRefs(load: Load, entries: ReadonlyMap<string, Entry>): Promise<void> {
  for (const [externalId, { recordId }] of load.externals) {
    if (recordId !== null) load.ids.set(externalId, recordId);
  }
  const lookedUp = new Map<string, boolean>();
  for (const entry of entries.values()) {
    for (const [field, value] of Object.entries(entry.values)) {
      for (const externalId of refsIn(value)) {
        if (entries.has(externalId) || load.externals.has(externalId)) continue;
        if (!lookedUp.has(externalId)) lookedUp.set(externalId, await lookUp(load, externalId));
        if (lookedUp.get(externalId)) continue;
        load.problems.add(entry, ...unknownRef(field, externalId, await shippedBeside(load, entries, externalId)));
      }
    }
  }
}

/** Returns the external ids of the addon named in an unknown reference. */
async function shippedBeside(load: Load, entries: ReadonlyMap<string, Entry>, externalId: string): Promise<string[]> {
  const owner = externalId.split('.')[0] ?? '';
  const stored = await externalIdsOf(load.transaction, [owner]);
  return [...stored.keys(), ...entries.keys()].filter((id) => id.startsWith(`${owner}.`));
}

async function lookUp(load: Load, externalId: string): Promise<boolean> {
  const parsed = parseExternalId(externalId);
  const external = parsed && (await findExternalId(load.transaction, parsed.addon, parsed.name));
  if (!external) return false;
  load.externals.set(externalId, external);
  if (external.recordId !== null) load.ids.set(externalId, external.recordId);
  return true;
}

function stopAtProblems({ list }: DataProblems): void {
  if (list.length > 0) throw new BrokenAddons(list);
}
