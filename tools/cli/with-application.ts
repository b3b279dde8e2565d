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

/**
 * Opens the application for one command, whether or not a server is running, and closes it again. Logs warnings only, to keep the command's
 * own output readable.
 *
 * @param options.creates receives a message if a new site is created; without it, none is created
 * @throws NotFound if there is no site and none may be created
 */
export async function withApplication<T>(
  work: (application: Application) => Promise<T>,
  { creates }: { readonly creates?: Pick<CommandIo, 'err'> } = {},
): Promise<T> {
  const config = creates ? loadConfig(process.env, parts) : await existingSite();
  if (creates && !(await hasSite(config.databaseUrl)))
    creates.err(`There is no site at ${databaseAddress(config.databaseUrl)}, so a new one is created.`);
  return withApplicationOf(config, work);
}

/** As {@link withApplication}, with a configuration. */
export async function withApplicationOf<T>(config: Config, work: (application: Application) => Promise<T>): Promise<T> {
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
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
