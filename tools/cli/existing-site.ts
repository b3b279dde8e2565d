import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, loadConfig, NotFound } from '@pergola/core';
import { sqliteFile } from '@pergola/db';
import { hasSite } from '@pergola/switching';
import { parts } from '../parts.ts';

/**
 * Loads the configuration of an existing site, for commands that must not create one.
 *
 * @throws NotFound if the database contains no site, or the data folder is missing although it holds the files or the secret
 */
export async function existingSite(): Promise<Config> {
  const config = loadConfig(process.env, parts);
  const { databaseUrl, dataDir, s3 } = config;
  if (!(await hasSite(databaseUrl)))
    throw missing(`There is no site at ${databaseAddress(databaseUrl)}.`, 'DATABASE_URL', 'DATA_DIR');
  const usesFolder = s3 === null || !process.env.SESSION_SECRET;
  if (usesFolder && !existsSync(dataDir)) throw missing(`There is no data folder ${dataDir}.`, 'DATA_DIR');
  return config;
}

function missing(problem: string, ...variables: readonly string[]): NotFound {
  const names = variables.join(' and ');
  return new NotFound(
    `${problem} Check ${names} and the current folder. "pergola start" and "pergola dev" create a new site.`,
    { code: 'core.no_site' },
  );
}

/** Database URL without its password, with the absolute path of a file. */
export function databaseAddress(url: string): string {
  const file = sqliteFile(url);
  return file === null ? url.replace(/:\/\/[^@/]*@/, '://…@') : `sqlite:${resolve(file)}`;
}
