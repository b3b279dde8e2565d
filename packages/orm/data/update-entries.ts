import { Conflict } from '@pergola/core';
import type { CompiledModel } from '../compiled.ts';
import { batches } from '../write/sql.ts';
import type { Entry } from './entries.ts';
import {
  type Checksums,
  deleteExternalIds,
  type ExternalId,
  externalIdsFrom,
  updateExternalId,
} from './external-ids.ts';
import type { Load } from './load.ts';
import { checksum, isChanged, type ShippedUnit, shippedUnits, sourceLanguage, storedUnits } from './units.ts';

type KnownEntry = readonly [Entry, ExternalId];

/** Updates records: values that are shipped differently than last time and haven't been changed since. */
export async function updateEntries(load: Load, installed: ReadonlyMap<Entry, ExternalId>): Promise<void> {
  for (const [model, modelEntries] of Map.groupBy(installed, ([entry]) => entry.model)) {
    for (const batch of batches(modelEntries, 500)) await updateBatch(load, model, batch);
  }
}

async function updateBatch(load: Load, model: CompiledModel, batch: readonly KnownEntry[]): Promise<void> {
  const bound = load.bound(model.name);
  const ids = batch.flatMap(([, { recordId }]) => recordId ?? []);
  const names = new Set(batch.flatMap(([entry]) => Object.keys(entry.values)));
  const before = await storedUnits(load, model, ids, names);
  const updates: { knownEntry: KnownEntry; units: ShippedUnit[] }[] = [];
  for (const knownEntry of batch) {
    const [entry, external] = knownEntry;
    if ((external.noupdate && !isOfAnother(load, external)) || entry.noupdate || external.recordId === null) {
      await takeOver(load, knownEntry, external.checksums);
      continue;
    }
    const { changed, hasLocalChanges } = compare(
      shippedUnits(load, entry),
      external.checksums,
      bound.registry.defaultLanguage,
      before.get(external.recordId),
    );
    if (hasLocalChanges) load.result.kept += 1;
    if (changed.length > 0) {
      try {
        await bound.self.write(external.recordId, valuesOf(changed));
        updates.push({ knownEntry, units: changed });
        load.result.updated += 1;
      } catch (error) {
        load.problems.addError(entry, error);
      }
    } else {
      await takeOver(load, knownEntry, external.checksums);
    }
  }
  await remember(load, model, updates);
}

/** Returns the parts to write, and whether local changes prevent other updates. */
function compare(
  units: readonly ShippedUnit[],
  checksums: Checksums,
  defaultLanguage: string,
  stored: ReadonlyMap<string, unknown> = new Map(),
): { changed: ShippedUnit[]; hasLocalChanges: boolean } {
  const isUntouched = ({ unit }: ShippedUnit): boolean => checksums[unit]?.[0] === checksum(stored.get(unit));
  const different = new Set(units.filter(({ unit, hash }) => checksums[unit]?.[1] !== hash));
  const changed = [...different].filter((unit) => !checksums[unit.unit] || isUntouched(unit));
  const rewordedFields = new Set(changed.filter(isSource).map(({ field }) => field));
  // A translation that is shipped as before fits the new source text; writing it again keeps it from being outdated.
  const confirmed = units.filter((unit) => rewordedFields.has(unit.field) && !different.has(unit) && isUntouched(unit));
  return { changed: [...changed, ...confirmed], hasLocalChanges: changed.length < different.size };

  function isSource({ field, lang }: ShippedUnit): boolean {
    const isTranslated = units.some((unit) => unit.field === field && unit.lang === defaultLanguage);
    return lang === (isTranslated ? defaultLanguage : sourceLanguage);
  }
}

function valuesOf(units: readonly ShippedUnit[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, fieldUnits] of Map.groupBy(units, (unit) => unit.field)) {
    const texts = fieldUnits.flatMap(({ lang, value }) => (lang === null ? [] : [[lang, value] as const]));
    values[field.name] = texts.length > 0 ? Object.fromEntries(texts) : fieldUnits[0]?.value;
  }
  return values;
}

/** Stores the hashes of written values, and keeps all other hashes. */
async function remember(
  load: Load,
  model: CompiledModel,
  updates: readonly { readonly knownEntry: KnownEntry; readonly units: readonly ShippedUnit[] }[],
): Promise<void> {
  const ids = updates.flatMap(({ knownEntry: [, { recordId }] }) => recordId ?? []);
  const names = new Set(updates.flatMap(({ units }) => units.map(({ field }) => field.name)));
  const after = await storedUnits(load, model, ids, names);
  for (const { knownEntry, units } of updates) {
    const [, external] = knownEntry;
    const stored = after.get(external.recordId ?? 0);
    const fresh = units.map(({ unit, hash }) => [unit, [checksum(stored?.get(unit)), hash]] as const);
    await takeOver(load, knownEntry, { ...external.checksums, ...Object.fromEntries(fresh) });
  }
}

/**
 * Marks the record as shipped by this data. A record with `noupdate` that another addon created stays that addon's, with values of this
 * one.
 */
async function takeOver(load: Load, [entry, external]: KnownEntry, checksums: Checksums): Promise<void> {
  const { source, noupdate } =
    external.noupdate && isOfAnother(load, external) ? external : { source: load.source, noupdate: entry.noupdate };
  const isSame = checksums === external.checksums && external.source === source && external.noupdate === noupdate;
  if (isSame) return;
  await updateExternalId(load.transaction, external.id, { checksums, noupdate, source });
}

function isOfAnother({ addon }: Load, { source }: ExternalId): boolean {
  return !source.startsWith(`${addon}/`);
}

/**
 * Removes records that this data no longer ships, last created first. Changed records and records in use stay, but lose their external id.
 * Records created only once are never removed.
 */
export async function removeDropped(load: Load, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const shipped = await externalIdsFrom(load.transaction, load.source);
  const dropped = shipped.filter(({ addon, name, noupdate }) => !noupdate && !entries.has(`${addon}.${name}`));
  for (const external of dropped.reverse()) await remove(load, external);
}

async function remove(load: Load, external: ExternalId): Promise<void> {
  const { model, recordId, checksums } = external;
  const fields = Object.keys(checksums).map((unit) => unit.split(':')[0] ?? '');
  if (recordId === null || !load.hasModel(model)) return;
  const bound = load.bound(model);
  const stored = (await storedUnits(load, bound.compiled, [recordId], fields)).get(recordId);
  if (stored && !isChanged(checksums, stored)) {
    try {
      await bound.self.unlink(recordId);
      load.result.removed += 1;
      return;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      bound.ctx.log.info(
        { addon: load.addon, record: `${external.addon}.${external.name}`, err: error },
        'No longer shipped, but still used: kept',
      );
    }
  }
  if (stored) load.result.kept += 1;
  await deleteExternalIds(load.transaction, [external.id]);
}
