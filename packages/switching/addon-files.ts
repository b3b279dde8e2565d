import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Addon, Problem } from '@pergola/core';
import type { DataSet, Migration } from '@pergola/orm';

/** Data sets of one file, in order. */
export interface DataFile {
  readonly addon: string;
  /** Relative to the addon's folder: `data/forums.ts`. */
  readonly file: string;
  readonly sets: readonly DataSet[];
}

/** A migration with its file name, which identifies it among those already run. */
export interface MigrationFile {
  readonly addon: string;
  readonly file: string;
  readonly migration: Migration;
}

/**
 * Reads an addon's shipped data (`data`) or demo data (`demo`), ordered by file name. Importing such a file only evaluates definitions.
 * Adds errors to `problems`.
 */
export async function readDataFiles(addon: Addon, folder: 'data' | 'demo', problems: Problem[]): Promise<DataFile[]> {
  const files: DataFile[] = [];
  for (const { file, exported } of await readFolder(addon, folder, problems)) {
    const sets = Array.isArray(exported) ? exported : [exported];
    const remedy = 'Export `data(Model, { … })` by default, or a list of such.';
    if (sets.every(isDataSet)) files.push({ addon: addon.name, file, sets });
    else problems.push({ addon: addon.name, file, message: 'exports no data.', remedy });
  }
  return files;
}

/** Reads an addon's migrations, ordered by file name. */
export async function readMigrations(addon: Addon, problems: Problem[]): Promise<MigrationFile[]> {
  const migrations: MigrationFile[] = [];
  for (const { file, exported } of await readFolder(addon, 'migrations', problems)) {
    const remedy = 'Export `migration({ version, summary, up })` by default.';
    if (isMigration(exported)) migrations.push({ addon: addon.name, file, migration: exported });
    else problems.push({ addon: addon.name, file, message: 'exports no migration.', remedy });
  }
  return migrations;
}

async function readFolder(
  { name, folder, files }: Addon,
  part: string,
  problems: Problem[],
): Promise<{ file: string; exported: unknown }[]> {
  const exports: { file: string; exported: unknown }[] = [];
  for (const fileName of (files[part] ?? []).filter((name) => /(?<!\.d)\.[jt]s$/.test(name))) {
    const file = `${part}/${fileName}`;
    try {
      const module: { default?: unknown } = await import(pathToFileURL(join(folder, file)).href);
      exports.push({ file, exported: module.default });
    } catch (error) {
      const message = `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
      problems.push({ addon: name, file, message });
    }
  }
  return exports;
}

function isDataSet(value: unknown): value is DataSet {
  if (typeof value !== 'object' || value === null || !('model' in value) || !('records' in value)) return false;
  return typeof value.model === 'string' && (typeof value.records === 'function' || typeof value.records === 'object');
}

function isMigration(value: unknown): value is Migration {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('up' in value)) return false;
  return typeof value.version === 'string' && typeof value.up === 'function';
}
