import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, loadConfig, NotFound } from '@pergola/core';
import { sqliteFile } from '@pergola/db';
import { hasSite } from '@pergola/switching';
import { parts } from '../parts.ts';

/**
 * Configuration of a site that exists, for commands that must not create one. Nothing is created.
 *
 * @throws NotFound if the database holds no site, or the data folder is missing although files or the secret are in it
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

function missing(what: string, ...variables: readonly string[]): NotFound {
  const names = variables.join(' and ');
  return new NotFound(
    `${what} Check ${names}, and the folder you are in. A new site is created by "pergola start" or "pergola dev".`,
    { code: 'core.no_site' },
  );
}

/** Address of a database without its password, with the whole path of a file. */
export function databaseAddress(url: string): string {
  const file = sqliteFile(url);
  return file === null ? url.replace(/:\/\/[^@/]*@/, '://…@') : `sqlite:${resolve(file)}`;
}
