import { type Application, createLog, loadConfig, openApplication } from '@pergola/core';
import { parts } from '../parts.ts';
import { existingSite } from './existing-site.ts';

/**
 * Opens the application for one command, next to a running server or without one, and closes it again. Only warnings are logged, so that the
 * command's own lines can be read.
 *
 * @param options.creates whether a new site is created if there is none
 * @throws NotFound if there is no site, unless it may be created
 */
export async function withApplication<T>(
  work: (application: Application) => Promise<T>,
  { creates = false }: { readonly creates?: boolean } = {},
): Promise<T> {
  const config = creates ? loadConfig(process.env, parts) : await existingSite();
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const application = await openApplication(config, { log, parts });
  try {
    return await work(application);
  } finally {
    await application.close();
  }
}
