import { dependencyClosure, type Generation } from '../kernel/index.ts';
import type { DataFile } from './addon-files.ts';
import type { InstallHost } from './host.ts';

/**
 * Makes what shipped data has to make (pictures, dates) before the transaction that writes it, so that nobody waits for that. A set that cannot be
 * made yet, because it reads what the switch itself brings, stays a function and is asked inside.
 */
export async function readyData(
  host: InstallHost,
  generation: Generation,
  files: readonly DataFile[],
): Promise<DataFile[]> {
  const byName = new Map(generation.addons.map((addon) => [addon.name, addon]));
  const bringing = new Set(files.map(({ addon }) => addon));
  const owned = host.context(generation, host.database.reader);
  try {
    const ready: DataFile[] = [];
    for (const file of files) {
      const needsOthers = [...dependencyClosure(file.addon, byName)].some((name) => bringing.has(name));
      const sets = [];
      for (const set of file.sets) {
        if (typeof set.records !== 'function' || needsOthers) {
          sets.push(set);
          continue;
        }
        const records = await set.records(owned.ctx).catch((error: unknown) => {
          host.log.debug(
            { err: error, addon: file.addon, file: file.file },
            'Shipped records are made in the transaction of the switch',
          );
          return set.records;
        });
        sets.push({ ...set, records });
      }
      ready.push({ ...file, sets });
    }
    return ready;
  } finally {
    await owned.dispose();
  }
}
