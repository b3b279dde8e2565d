import {
  type Application,
  type CommandIo,
  type Config,
  createLog,
  isNotReady,
  loadConfig,
  NOT_READY,
  openApplication,
  Unavailable,
} from '@pergola/core';
import { hasSite } from '@pergola/switching';
import { parts } from '../parts.ts';
import { databaseAddress, existingSite } from './existing-site.ts';
import { readableLog } from './readable-log.ts';

/**
 * Opens the application for one command, whether or not a server is running, and closes it again. Logs warnings only and in words, unless
 * another log level is set.
 *
 * @param options.creates receives a message if a new site is created; without it, none is created
 * @throws NotFound if there is no site and none may be created
 */
export async function withApplication<T>(
  work: (application: Application, site: { readonly isNew: boolean }) => Promise<T>,
  { creates }: { readonly creates?: Pick<CommandIo, 'err'> } = {},
): Promise<T> {
  const config = creates ? loadConfig(process.env, parts) : await existingSite();
  const isNew = creates !== undefined && !(await hasSite(config.databaseUrl));
  if (isNew) creates.err(`There is no site at ${databaseAddress(config.databaseUrl)}, so a new one is created.`);
  return withApplicationOf(config, (application) => work(application, { isNew }));
}

/** As {@link withApplication}, with a configuration. */
export async function withApplicationOf<T>(config: Config, work: (application: Application) => Promise<T>): Promise<T> {
  const log = config.logLevel === 'info' ? readableLog() : createLog(config.logLevel);
  const application = await openApplication(config, { log, parts });
  try {
    return await work(application);
  } catch (error) {
    if (isNotReady(error)) requireServing(application);
    throw error;
  } finally {
    await application.close();
  }
}

/** Throws Unavailable with the reasons if the site's apps can't be used, such as before an upgrade. */
export function requireServing({ ready, unready }: Application): void {
  if (ready || unready.length === 0) return;
  throw new Unavailable(['The apps can’t be used until this is fixed:', ...unready].join('\n'), { code: NOT_READY });
}
