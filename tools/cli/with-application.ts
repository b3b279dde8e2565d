import { type Application, type CommandIo, createLog, loadConfig, openApplication } from '@pergola/core';
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
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const application = await openApplication(config, { log, parts });
  try {
    return await work(application);
  } finally {
    await application.close();
  }
}
