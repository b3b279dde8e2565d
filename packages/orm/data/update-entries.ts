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
import { checksum, isChanged, keptUnits, type ShippedUnit, shippedUnits } from './units.ts';

type KnownEntry = readonly [Entry, ExternalId];

/** Brings records up to date: values that are shipped differently than last time, and that nobody changed since. */
export async function updateEntries(load: Load, known: ReadonlyMap<Entry, ExternalId>): Promise<void> {
  for (const [model, ofModel] of Map.groupBy(known, ([entry]) => entry.model)) {
    for (const batch of batches(ofModel, 500)) await updateBatch(load, model, batch);
  }
}

async function updateBatch(load: Load, model: CompiledModel, batch: readonly KnownEntry[]): Promise<void> {
  const bound = load.bound(model.name);
  const ids = batch.flatMap(([, { recordId }]) => recordId ?? []);
  const names = new Set(batch.flatMap(([entry]) => Object.keys(entry.values)));
  const before = await keptUnits(load, model, ids, names);
  const written: { known: KnownEntry; units: ShippedUnit[] }[] = [];
  for (const known of batch) {
    const [entry, external] = known;
    if ((external.noupdate && !isOfAnother(load, external)) || entry.noupdate || external.recordId === null) {
      await takeOver(load, known, external.checksums);
      continue;
    }
    const { changed, isKept } = compare(shippedUnits(load, entry), external.checksums, before.get(external.recordId));
    if (isKept) load.result.kept += 1;
    if (changed.length > 0) {
      try {
        await bound.self.write(external.recordId, valuesOf(changed));
        written.push({ known, units: changed });
        load.result.updated += 1;
      } catch (error) {
        load.problems.addError(entry, error);
      }
    } else {
      await takeOver(load, known, external.checksums);
    }
  }
  await remember(load, model, written);
}

/** Parts to write, and whether somebody's changes stand in the way of others. */
function compare(
  units: readonly ShippedUnit[],
  checksums: Checksums,
  kept: ReadonlyMap<string, unknown> = new Map(),
): { changed: ShippedUnit[]; isKept: boolean } {
  const different = units.filter(({ unit, hash }) => checksums[unit]?.[1] !== hash);
  const changed = different.filter(({ unit }) => {
    const last = checksums[unit];
    return !last || last[0] === checksum(kept.get(unit));
  });
  return { changed, isKept: changed.length < different.length };
}

function valuesOf(units: readonly ShippedUnit[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, ofField] of Map.groupBy(units, (unit) => unit.field)) {
    const texts = ofField.flatMap(({ lang, value }) => (lang === null ? [] : [[lang, value] as const]));
    values[field.name] = texts.length > 0 ? Object.fromEntries(texts) : ofField[0]?.value;
  }
  return values;
}

/** Keeps the hashes of what was written, and those of everything else as they were. */
async function remember(
  load: Load,
  model: CompiledModel,
  written: readonly { readonly known: KnownEntry; readonly units: readonly ShippedUnit[] }[],
): Promise<void> {
  const ids = written.flatMap(({ known: [, { recordId }] }) => recordId ?? []);
  const names = new Set(written.flatMap(({ units }) => units.map(({ field }) => field.name)));
  const after = await keptUnits(load, model, ids, names);
  for (const { known, units } of written) {
    const [, external] = known;
    const kept = after.get(external.recordId ?? 0);
    const fresh = units.map(({ unit, hash }) => [unit, [checksum(kept?.get(unit)), hash]] as const);
    await takeOver(load, known, { ...external.checksums, ...Object.fromEntries(fresh) });
  }
}

/** The record is shipped by this data now; one that another addon made once and for all stays that addon's, with values of this one. */
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
 * Takes away records that this data brought once and no longer does, last made first. Those that somebody changed or that are in use stay, and
 * belong to whoever uses them from then on; those made only once were theirs already.
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
  const kept = (await keptUnits(load, bound.compiled, [recordId], fields)).get(recordId);
  if (kept && !isChanged(checksums, kept)) {
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
  if (kept) load.result.kept += 1;
  await deleteExternalIds(load.transaction, [external.id]);
}
