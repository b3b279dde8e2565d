import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '@pergola/core';
import { createLog, loadConfig } from '@pergola/core';
import { type HttpServer, serveHttp } from '@pergola/http';
import { beginServing, guardProcess, openAllowed } from '@pergola/server';
import { parts } from '../parts.ts';
import { SavedCodeFollower } from './code-follower.ts';
import { Development, isOfCore } from './development.ts';
import { FreshCode } from './fresh-code.ts';
import { HeldLines } from './held-lines.ts';
import { ALIVE, CONNECTION, FRESH_PROCESS, READY } from './messages.ts';
import { prettyLines } from './pretty-log.ts';
import { QueryLog } from './query-log.ts';
import { SavedCheck } from './saved-check.ts';
import { sourceFolders } from './watch-sources.ts';

/** Interval of the keep-alive message, in ms. */
const ALIVE_MS = 500;

/** Time in ms for the last requests of a replaced application. */
const LAST_REQUESTS_MS = 5_000;

/** Loaded code stays in memory, so above this many bytes the process is replaced. */
const MOST_HEAP = 1_000_000_000;

/**
 * Serves the site in the process that `pergola dev` starts and passes connections to, until platform code changes or it receives a stop
 * message. When server code of addons is saved, opens a second application in this process and switches to it once it is ready. Returns the
 * exit code.
 */
export async function startDevelopmentServer(): Promise<number> {
  const config = loadConfig(process.env, parts, { dev: true });
  // Formatted for developers at a terminal; otherwise JSON for programs.
  const writeLine = process.stderr.isTTY ? prettyLines((text) => void process.stderr.write(text)) : undefined;
  const log = createLog(config.logLevel, { node: config.nodeId }, writeLine);
  guardProcess(log);
  const ended = Promise.withResolvers<number>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.resolve(0));
  // The parent process and its terminal have ended, so no one could stop this process.
  process.once('disconnect', () => ended.resolve(0));
  setInterval(() => tellParent(ALIVE), ALIVE_MS).unref();

  const open = async (siteLog = log): Promise<Site> => {
    const application = await openAllowed(config, {
      log: siteLog,
      parts,
      onOutdated: () => development.reload(),
      codeFollower: new SavedCodeFollower(),
    });
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
      // Node also caches modules that failed to load, and it is unclear how far loading got.
      if (isWhole) code.forget(files);
      else code.forgetAll();
      isWhole = false;
      const previousSite = site;
      // Only one application at a time upgrades the database.
      await previousSite.application.followed;
      const lines = new HeldLines(writeLine ?? ((line) => void process.stderr.write(line)));
      const nextLog = createLog(config.logLevel, { node: config.nodeId }, (line) => lines.add(line));
      const next = await open(nextLog).catch((error: unknown) => {
        lines.release();
        throw error;
      });
      const { problems } = next.application;
      isWhole = problems.length === 0;
      const isTaken = canReplace(previousSite.application, next.application);
      // The reasons for a rejection are logged with its problems.
      if (isTaken) lines.release();
      else lines.drop();
      if (isTaken) {
        site = next;
        void beginServing(next.application, log);
      }
      void closeSite(isTaken ? previousSite : next).catch((error: unknown) =>
        log.warn({ err: error }, 'A replaced application could not be closed'),
      );
      return { application: site.application, refused: isTaken ? [] : problems };
    },
  });
  const check = new SavedCheck((problems) => development.checked(problems));
  const server = createServer((req, res) => {
    if (!development.handle(req, res)) queries.follow(req, res, () => answer(site, req, res));
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
  const exitCode = await ended.promise;
  check.stop();
  await development.close();
  queries.close();
  server.closeAllConnections();
  await closeSite(site);
  if (process.connected) process.disconnect();
  return exitCode;
}

/**
 * Whether an application serves at least as much as the previous one. After a failed upgrade it serves nothing, and a broken addon is left
 * out; pages would be missing until the file is fixed.
 */
function canReplace(previous: Application, next: Application): boolean {
  if (!previous.ready) return true;
  if (!next.ready) return false;
  const served = new Set(previous.generation.addons.map(({ name }) => name));
  return [...next.lifecycle.leftOut.keys()].every((name) => !served.has(name));
}

/** An application with its HTTP server. */
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
