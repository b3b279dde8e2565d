import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Problem } from '../base/index.ts';
import type { Addon } from '../kernel/index.ts';
import type { DataSet, Migration } from '../model/index.ts';

/** Data sets of one file, in its order. */
export interface DataFile {
  readonly addon: string;
  /** Relative to the addon's folder: `data/forums.ts`. */
  readonly file: string;
  readonly sets: readonly DataSet[];
}

/** A migration with its file's name, which says whether it ran already. */
export interface MigrationFile {
  readonly addon: string;
  readonly file: string;
  readonly migration: Migration;
}

/** Reads what an addon ships (`data`) or shows itself with (`demo`), by file name. Importing such a file does nothing but define. */
export async function readDataFiles(
  addon: Addon,
  folder: 'data' | 'demo',
): Promise<{ files: DataFile[]; problems: Problem[] }> {
  const { exports, problems } = await readFolder(addon, folder);
  const files: DataFile[] = [];
  for (const { file, exported } of exports) {
    const sets = Array.isArray(exported) ? exported : [exported];
    if (sets.every(isDataSet)) files.push({ addon: addon.name, file, sets });
    else
      problems.push({
        addon: addon.name,
        file,
        message: 'exports no data.',
        remedy: 'Export `data(Model, { … })` by default, or a list of such.',
      });
  }
  return { files, problems };
}

/** Reads an addon's migrations, in the order of their file names. */
export async function readMigrations(addon: Addon): Promise<{ migrations: MigrationFile[]; problems: Problem[] }> {
  const { exports, problems } = await readFolder(addon, 'migrations');
  const migrations: MigrationFile[] = [];
  for (const { file, exported } of exports) {
    if (isMigration(exported)) migrations.push({ addon: addon.name, file, migration: exported });
    else
      problems.push({
        addon: addon.name,
        file,
        message: 'exports no migration.',
        remedy: 'Export `migration({ version, summary, up })` by default.',
      });
  }
  return { migrations, problems };
}

async function readFolder(
  { name, folder, files }: Addon,
  part: string,
): Promise<{ exports: { file: string; exported: unknown }[]; problems: Problem[] }> {
  const exports: { file: string; exported: unknown }[] = [];
  const problems: Problem[] = [];
  for (const own of (files[part] ?? []).filter((one) => /(?<!\.d)\.[jt]s$/.test(one))) {
    const file = `${part}/${own}`;
    try {
      const module: { default?: unknown } = await import(pathToFileURL(join(folder, file)).href);
      exports.push({ file, exported: module.default });
    } catch (error) {
      problems.push({
        addon: name,
        file,
        message: `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
  return { exports, problems };
}

function isDataSet(value: unknown): value is DataSet {
  if (typeof value !== 'object' || value === null || !('model' in value) || !('records' in value)) return false;
  return typeof value.model === 'string' && (typeof value.records === 'function' || typeof value.records === 'object');
}

function isMigration(value: unknown): value is Migration {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('up' in value)) return false;
  return typeof value.version === 'string' && typeof value.up === 'function';
}
