import { type Application, createLog, loadConfig, openApplication } from '@pergola/core';
import { parts } from '../parts.ts';

/**
 * Opens the application for one command, beside a running server or without one, and closes it again. Only warnings are logged, so that the
 * command's own lines can be read.
 */
export async function withApplication<T>(work: (application: Application) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env, parts);
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const application = await openApplication(config, { log, parts });
  try {
    return await work(application);
  } finally {
    await application.close();
  }
}
