import { type Config, Conflict, createLog, type Log } from '../base/index.ts';
import type { Part } from '../part/index.ts';
import { type Application, type ApplicationOptions, openApplication } from './application.ts';
import { createHandover, type Handover } from './handover.ts';
import { type Listener, listener } from './listener.ts';

/** Why a process ends: it was told to, or a fresh one is to take over. */
type Why = 'stop' | 'outdated';

/** What a process that serves has open. */
interface Serving {
  readonly application: Application;
  readonly http: Listener;
}

/**
 * Serves the site until the process is told to stop (SIGTERM, SIGINT) or hands over to a fresh one. Answers the exit code.
 */
export async function startServer(config: Config, parts: readonly Part[]): Promise<number> {
  const log = createLog(config.logLevel, { node: config.nodeId });
  let asked = Promise.withResolvers<Why>();
  const end = (why: Why): void => asked.resolve(why);
  const handover = createHandover({ log, self: process, onOrphaned: () => end('stop') });
  guardProcess(log);
  const application = await openOrRefuse(config, handover, { log, parts, onOutdated: () => end('outdated') });
  if (!application) return 1;
  if (application.lifecycle.isFirstStart && config.demo) await beginAfresh(application);
  const http = await application.get(listener)(application);
  let why: Why;
  try {
    await listen(handover, http, config);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end('stop'));
    await beginServing(application, log);
    why = await asked.promise;
    while (why === 'outdated') {
      // What is asked while a fresh process starts counts if that one cannot take over.
      asked = Promise.withResolvers<Why>();
      if (await handover.begin(http.server)) break;
      why = await asked.promise;
    }
  } finally {
    // What is open would keep a process alive that could not begin to serve.
    await close({ application, http });
  }
  return handover.ended();
}

/** Begins what goes on beside requests, once they are answered, and says in the log what is served. */
export async function beginServing(application: Application, log: Log): Promise<void> {
  await application.startBackground();
  if (application.unready.length > 0)
    log.error({ reasons: application.unready }, 'Nothing is served before this is put right');
  else
    log.info(
      { url: application.config.baseUrl, addons: application.generation.addons.length },
      `Pergola serves ${application.config.baseUrl}`,
    );
}

/** Making demo data leaves some sixty megabytes behind that nothing gives back: this process becomes a fresh one, where the system can do that. */
async function beginAfresh(application: Application): Promise<void> {
  if (!process.execve || process.platform === 'win32') return;
  await application.close();
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
}

/** The application, or null and a refusal to whom this process was to take over from, which logs it. */
async function openOrRefuse(
  config: Config,
  handover: Handover,
  options: ApplicationOptions,
): Promise<Application | null> {
  try {
    const application = await openAllowed(config, options);
    if (!handover.takesOver || application.unready.length === 0) return application;
    // Whoever gives way goes on then: better an older version than none.
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

/** What is said where the port is not free. */
export function portTaken({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `Something else listens on port ${port} of ${host}. End it, or set PORT to another number.`;
}

async function close({ application, http }: Serving): Promise<void> {
  await http.close({ graceMs: await application.drain() });
  await application.close();
}

/** The application, when nothing forbids to serve it. */
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

/** A fault that nobody caught is logged with its stack; the process lives on, since one request's fault is not everybody's (C17b). */
export function guardProcess(log: Log): void {
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'A promise was rejected and nobody was waiting for it'),
  );
  process.on('uncaughtException', (error) =>
    log.error({ err: error }, 'An error was thrown where nobody could catch it'),
  );
}
