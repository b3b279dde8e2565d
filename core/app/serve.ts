import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, Conflict, createLog, type Log } from '../base/index.ts';
import { createHandover, type Handover } from '../cluster/index.ts';
import { type HttpServer, serveHttp } from '../http/index.ts';
import { type Application, type ApplicationOptions, openApplication } from './application.ts';
import { releaseHeap } from './heap-release.ts';

/** Readiness says no for so long before nothing new is accepted, in ms: time for a balancer to notice, where other nodes can take over. */
const graceMs = { alone: 300, amongOthers: 3000 };

/** How often a port that is taken is tried again, in ms. */
const portTryMs = 500;

/** Why a process ends: it was told to, a fresh one is to take over, or whoever develops wants it to end with this code. */
type Why = 'stop' | 'outdated' | number;

/** What watches the sources and the open pages while somebody develops. */
interface Development {
  /** Answers what open pages ask of it, before the server does. */
  sitBefore(server: Server): void;
  /** Tells open pages what is served now. */
  tell(): void;
  close(): Promise<void>;
}

/** How a server is started while somebody develops: `tools/dev/serve.ts`. */
export interface DevelopmentOptions {
  /** Begins to watch; `end` ends the process with this exit code. */
  readonly develop: (application: Application, log: Log, end: (code: number) => void) => Development;
  /** Writes lines of the log for a reader; the usual way when left out. */
  readonly writeLine?: (line: string) => void;
}

/** What a process that serves has open. */
interface Serving {
  readonly application: Application;
  readonly http: HttpServer;
  readonly development: Development | null;
  readonly log: Log;
}

/**
 * Serves the site until the process is told to stop (SIGTERM, SIGINT) or hands over to a fresh one. Answers the exit code.
 */
export async function startServer(config: Config, options?: DevelopmentOptions): Promise<number> {
  const log = createLog(config.logLevel, { node: config.nodeId }, options?.writeLine);
  let asked = Promise.withResolvers<Why>();
  const end = (why: Why): void => asked.resolve(why);
  const handover = createHandover({ log, self: process, onOrphaned: () => end('stop') });
  guardProcess(log);
  const application = await openOrRefuse(config, handover, { log, onOutdated: () => end('outdated') });
  if (!application) return 1;
  const http = await serveHttp(application);
  const development = options?.develop(application, log, end) ?? null;
  development?.sitBefore(http.server);
  const spare = releaseHeap(http.server);
  let why: Why;
  try {
    if (await listens(handover, { application, http, log }, asked.promise))
      await begin(application, development, log, end);
    why = await asked.promise;
    while (why === 'outdated') {
      // What is asked while a fresh process starts counts if that one cannot take over.
      asked = Promise.withResolvers<Why>();
      if (await handover.begin(http.server)) break;
      why = await asked.promise;
    }
  } finally {
    // What is open would keep a process alive that could not begin to serve.
    spare.stop();
    await close({ application, http, development, log });
  }
  return typeof why === 'number' ? why : handover.ended();
}

/** What goes on beside requests, once they are answered. */
async function begin(
  application: Application,
  development: Development | null,
  log: Log,
  end: (why: Why) => void,
): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end('stop'));
  await application.startBackground();
  if (application.unready.length > 0)
    log.error({ reasons: application.unready }, 'Nothing is served before this is put right');
  else
    log.info(
      { url: application.config.baseUrl, addons: application.generation.addons.length },
      `Pergola serves ${application.config.baseUrl}`,
    );
  if (development) void application.followed.then(() => development.tell());
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

/**
 * Listens. False when the process is to end before it could: whoever develops may have the server before in another window still, so a port that is
 * taken is waited for; elsewhere it is refused.
 */
async function listens(
  handover: Handover,
  { application: { config }, http, log }: Pick<Serving, 'application' | 'http' | 'log'>,
  ended: Promise<Why>,
): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    try {
      await handover.listen(http.server, config);
      return true;
    } catch (error) {
      if (!(Error.isError(error) && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      const message = `Something else listens on port ${config.port} of ${config.host}. End it, or set PORT to another number.`;
      if (!config.dev) throw new Conflict(message, { code: 'core.port_taken', cause: error });
      if (tries === 0) log.error(`${message} It is tried again until the port is free.`);
    }
    if (await Promise.race([ended, sleep(portTryMs, null)])) return false;
  }
}

async function close({ application, http, development, log }: Serving): Promise<void> {
  application.drain();
  const grace = await application.nodes
    .report({ draining: true })
    .then(async () => ((await application.nodes.live()).length > 1 ? graceMs.amongOthers : graceMs.alone))
    .catch((error: unknown) => {
      log.warn({ err: error }, 'The other nodes could not be told');
      return graceMs.alone;
    });
  // Streams to open pages would be waited for.
  await development?.close();
  await http.close(development ? { graceMs: 0, deadlineMs: 500 } : { graceMs: grace });
  await application.close();
}

/** The application, when nothing forbids to serve it. */
async function openAllowed(config: Config, options: ApplicationOptions): Promise<Application> {
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
function guardProcess(log: Log): void {
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'A promise was rejected and nobody was waiting for it'),
  );
  process.on('uncaughtException', (error) =>
    log.error({ err: error }, 'An error was thrown where nobody could catch it'),
  );
}
