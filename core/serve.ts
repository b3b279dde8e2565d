import { createHandover } from './cluster/handover.ts';
import type { Config } from './config.ts';
import { createDevelopment } from './dev/development.ts';
import { createHttpServer } from './http/server.ts';
import { type Kernel, type KernelOptions, openKernel } from './kernel.ts';
import { createLog, type Log } from './log.ts';

/** Readiness says no for so long before nothing new is accepted; a process alone on its socket has nobody to wait for. */
const GRACE_MS = 300;

/**
 * Serves the site until the process is told to stop (SIGTERM, SIGINT) or hands over to a fresh one. Answers the exit code.
 */
export async function startServer(config: Config): Promise<number> {
  const log = createLog(config.logLevel, { node: config.nodeId });
  const stop = Promise.withResolvers<'stop' | 'outdated'>();
  const handover = createHandover({ log, self: process, onOrphaned: () => stop.resolve('stop') });
  guardProcess(log);
  let kernel: Kernel;
  try {
    kernel = await openAllowed(config, { log, onOutdated: () => stop.resolve('outdated') });
  } catch (error) {
    await handover.refuse(Error.isError(error) ? error.message : String(error));
    throw error;
  }
  const http = createHttpServer(kernel);
  const development = config.dev ? createDevelopment(kernel, log) : null;
  if (development) development.sitBefore(http.server);
  await handover.listen(http.server, config);
  await kernel.startBackground();
  log.info({ url: config.baseUrl, addons: kernel.generation.addons.length }, `Pergola serves ${config.baseUrl}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.resolve('stop'));

  for (;;) {
    const why = await stop.promise;
    if (why === 'stop' || (await handover.begin(http.server))) break;
  }
  kernel.drain();
  await kernel.nodes
    .report({ draining: true })
    .catch((error: unknown) => log.warn({ err: error }, 'The other nodes could not be told'));
  await http.close({ graceMs: GRACE_MS });
  await development?.close();
  await kernel.close();
  return handover.ended();
}

/** The application, when nothing forbids to serve it. */
async function openAllowed(config: Config, options: KernelOptions): Promise<Kernel> {
  const kernel = await openKernel(config, options);
  try {
    await kernel.checkStart();
    return kernel;
  } catch (error) {
    await kernel.close();
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
