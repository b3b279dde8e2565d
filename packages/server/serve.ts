import {
  type Application,
  type ApplicationOptions,
  type Config,
  Conflict,
  createLog,
  type Listener,
  type Log,
  listener,
  openApplication,
  type Part,
} from '@pergola/core';
import { createFreshProcess } from './fresh-process.ts';
import { createHandover, type Handover } from './handover.ts';

/** Why a process ends: it received a signal, or a fresh one should take over. */
type EndReason = 'stop' | 'outdated';

/** Resources of a serving process. */
interface Serving {
  readonly application: Application;
  readonly http: Listener;
}

/** Serves the site until the process receives a signal (SIGTERM, SIGINT) or hands over to a fresh one. Returns the exit code. */
export async function startServer(config: Config, parts: readonly Part[]): Promise<number> {
  const log = createLog(config.logLevel, { node: config.nodeId });
  let ending = Promise.withResolvers<EndReason>();
  const end = (reason: EndReason): void => ending.resolve(reason);
  const handover = createHandover({ log, self: process, onOrphaned: () => end('stop') });
  guardProcess(log);
  const application = await openOrRefuse(config, handover, {
    log,
    parts,
    onOutdated: () => end('outdated'),
    createFreshProcess,
  });
  if (!application) return 1;
  if (application.lifecycle.isFirstStart && config.demo) await restartInPlace(application);
  const http = await application.get(listener)(application);
  let reason: EndReason;
  try {
    await listen(handover, http, config);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end('stop'));
    await beginServing(application, log);
    reason = await ending.promise;
    while (reason === 'outdated') {
      // Requests made while a fresh process starts count if it can't take over.
      ending = Promise.withResolvers<EndReason>();
      if (await handover.begin(http.server)) break;
      reason = await ending.promise;
    }
  } finally {
    // Open resources would keep alive a process that failed to start serving.
    await close({ application, http });
  }
  return handover.ended();
}

/** Starts background work once requests are answered, and logs the address. */
export async function beginServing(application: Application, log: Log): Promise<void> {
  await application.startBackground();
  if (application.unready.length > 0)
    log.error({ reasons: application.unready }, 'Nothing is served until this is fixed');
  else
    log.info(
      { url: application.config.baseUrl, addons: application.generation.addons.length },
      `Pergola serves ${application.config.baseUrl}`,
    );
}

/**
 * Creating demo data leaves about sixty megabytes that are never freed: replaces this process with a fresh one, if the system supports it.
 */
async function restartInPlace(application: Application): Promise<void> {
  if (!process.execve || process.platform === 'win32') return;
  await application.close();
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
}

/** Opens the application. If it can't serve, refuses to take over from another process, which logs the reason, and returns null. */
async function openOrRefuse(
  config: Config,
  handover: Handover,
  options: ApplicationOptions,
): Promise<Application | null> {
  try {
    const application = await openAllowed(config, options);
    if (!handover.takesOver || application.unready.length === 0) return application;
    // The other process then continues: an older version is better than none.
    await application.close();
    await handover.refuse(application.unready.join(' '));
    return null;
  } catch (error) {
    await handover.refuse(Error.isError(error) ? error.message : String(error));
    throw error;
  }
}

async function listen(handover: Handover, http: Listener, config: Config): Promise<void> {
  try {
    await handover.listen(http.server, config);
  } catch (error) {
    if (!(Error.isError(error) && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new Conflict(portTaken(config), { code: 'core.port_taken', cause: error });
  }
}

/** Error message if the port is already in use. */
export function portTaken({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `Something else listens on port ${port} of ${host}. End it, or set PORT to another number.`;
}

async function close({ application, http }: Serving): Promise<void> {
  await http.close({ graceMs: await application.drain() });
  await application.close();
}

/** Opens the application unless a start check forbids it. */
export async function openAllowed(config: Config, options: ApplicationOptions): Promise<Application> {
  const application = await openApplication(config, options);
  try {
    await application.checkStart();
    return application;
  } catch (error) {
    await application.close();
    throw error;
  }
}

/** Logs uncaught errors with their stack and keeps the process alive, since an error in one request must not affect others (C17b). */
export function guardProcess(log: Log): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'A promise was rejected without a handler'));
  process.on('uncaughtException', (error) => log.error({ err: error }, 'An error was not caught'));
}
