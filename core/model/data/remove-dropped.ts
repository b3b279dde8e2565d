import { Conflict } from '../../base/index.ts';
import type { Entry } from './entries.ts';
import { deleteExternalIds, type ExternalId, externalIdsFrom } from './external-ids.ts';
import { isChanged, keptUnits } from './kept.ts';
import type { Load } from './load.ts';

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
  const kept = (await keptUnits(bound, [recordId], fields)).get(recordId);
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
