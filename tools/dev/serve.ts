import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '@pergola/core';
import { beginServing, createLog, guardProcess, loadConfig, openAllowed } from '@pergola/core';
import { type HttpServer, serveHttp } from '@pergola/http';
import { parts } from '../parts.ts';
import { Development, isOfCore } from './development.ts';
import { FreshCode } from './fresh-code.ts';
import { HeldLines } from './held-lines.ts';
import { ALIVE, CONNECTION, FRESH_PROCESS, READY } from './messages.ts';
import { prettyLines } from './pretty-log.ts';
import { QueryLog } from './query-log.ts';
import { SavedCheck } from './saved-check.ts';
import { sourceFolders } from './watch-sources.ts';

/** How often it is said that the process is not stuck, in ms. */
const ALIVE_MS = 500;

/** How long the last requests of an application that gives way may take, in ms. */
const LAST_REQUESTS_MS = 5_000;

/** Code that was loaded stays in memory: from so many bytes on a fresh process is better. */
const MOST_HEAP = 1_000_000_000;

/**
 * Serves the site in the process that `pergola dev` starts and hands its connections to, until the core's code changes or it is told to stop. When
 * server code of addons is saved, a second application is opened beside the first one, in this process, and takes its place once it is ready. Answers
 * the exit code.
 */
export async function startDevelopmentServer(): Promise<number> {
  const config = loadConfig(process.env, parts, { dev: true });
  // Whoever develops at a terminal reads the log; elsewhere programs do.
  const writeLine = process.stderr.isTTY ? prettyLines((text) => void process.stderr.write(text)) : undefined;
  const log = createLog(config.logLevel, { node: config.nodeId }, writeLine);
  guardProcess(log);
  const ended = Promise.withResolvers<number>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.resolve(0));
  // Whoever started it is gone, and with it the terminal: nobody could end it.
  process.once('disconnect', () => ended.resolve(0));
  setInterval(() => tellParent(ALIVE), ALIVE_MS).unref();

  const open = async (siteLog = log): Promise<Site> => {
    const application = await openAllowed(config, { log: siteLog, parts, onOutdated: () => development.reload() });
    return { application, http: await serveHttp(application), answering: new Set() };
  };
  const code = new FreshCode();
  const queries = new QueryLog(log);
  let site = await open();
  let isWhole = site.application.problems.length === 0;
  const development = new Development({
    application: site.application,
    log,
    queries,
    folders: sourceFolders(site.application.roots),
    onSaved: (files) => check.saved(files),
    since: performance.timeOrigin,
    openAnew: async (files) => {
      if (files.some(isOfCore) || process.memoryUsage().heapUsed > MOST_HEAP) {
        ended.resolve(FRESH_PROCESS);
        return null;
      }
      // Node keeps what failed too, and nobody knows how far it came.
      if (isWhole) code.forget(files);
      else code.forgetAll();
      isWhole = false;
      const before = site;
      // Only one of them brings the database in line at a time.
      await before.application.followed;
      const lines = new HeldLines(writeLine ?? ((line) => void process.stderr.write(line)));
      const nextLog = createLog(config.logLevel, { node: config.nodeId }, (line) => lines.add(line));
      const next = await open(nextLog).catch((error: unknown) => {
        lines.release();
        throw error;
      });
      const { problems } = next.application;
      isWhole = problems.length === 0;
      const isTaken = canReplace(before.application, next.application);
      // Why it is refused is logged with its problems.
      if (isTaken) lines.release();
      else lines.drop();
      if (isTaken) {
        site = next;
        void beginServing(next.application, log);
      }
      void closeSite(isTaken ? before : next).catch((error: unknown) =>
        log.warn({ err: error }, 'An application that no longer serves could not be closed'),
      );
      return { application: site.application, refused: isTaken ? [] : problems };
    },
  });
  const check = new SavedCheck((problems) => development.checked(problems));
  const server = createServer((req, res) => {
    if (!development.answers(req, res)) queries.follow(req, res, () => answer(site, req, res));
  });
  process.on('message', (message, socket) => {
    if (message === CONNECTION && socket) accept(socket as Socket);
  });
  const accept = (socket: Socket): void => {
    socket.setNoDelay(true);
    server.emit('connection', socket);
    socket.resume();
  };
  await beginServing(site.application, log);
  await development.ready;
  tellParent(READY);
  const why = await ended.promise;
  check.stop();
  await development.close();
  queries.close();
  server.closeAllConnections();
  await closeSite(site);
  if (process.connected) process.disconnect();
  return why;
}

/**
 * Whether an application serves at least what the former one does. One whose upgrade failed serves nothing, and one with a broken addon goes without it;
 * pages would be gone until the file is corrected.
 */
function canReplace(former: Application, next: Application): boolean {
  if (!former.ready) return true;
  if (!next.ready) return false;
  const served = new Set(former.generation.addons.map(({ name }) => name));
  return [...next.lifecycle.leftOut.keys()].every((name) => !served.has(name));
}

/** An application, and what answers in its name. */
interface Site {
  readonly application: Application;
  readonly http: HttpServer;
  readonly answering: Set<ServerResponse>;
}

function answer({ http, answering }: Site, req: IncomingMessage, res: ServerResponse): void {
  answering.add(res);
  res.once('close', () => answering.delete(res));
  http.server.emit('request', req, res);
}

async function closeSite({ application, answering }: Site): Promise<void> {
  void application.drain();
  for (const end = performance.now() + LAST_REQUESTS_MS; answering.size > 0 && performance.now() < end; )
    await sleep(50);
  await application.close();
}

function tellParent(message: string): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
