import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { createApp } from './app.ts';
import { Intake } from './bodies/intake.ts';
import { EventStreams } from './event-streams.ts';
import { releaseHeap } from './heap-release.ts';
import { IDLE_MS, InFlight } from './in-flight.ts';
import { answerKeptPage } from './kept-pages.ts';
import { LoadShedder } from './load-shedder.ts';
import { createMetrics } from './metrics.ts';
import { errors } from './middleware/errors.ts';
import { notValid } from './middleware/hosts.ts';
import { Renderer } from './pages/render.ts';
import { createRequestIds } from './request-info.ts';
import type { HttpParts } from './routes/call.ts';
import { createSites } from './sites.ts';
import type { HttpApplication } from './types.ts';

export interface HttpServer {
  /** The underlying server, for handing over its socket. */
  readonly server: Server;
  /** Listens on the configured address and returns the actual one. */
  listen(address?: { readonly host: string; readonly port: number }): Promise<AddressInfo>;
  /**
   * Shuts down gracefully: `/readyz` fails at once while requests are still served for `graceMs` (so that the load balancer notices), then
   * new connections are refused, idle ones closed and running requests finished. Whatever remains after `deadlineMs` is cut off.
   */
  close(options?: { graceMs?: number; deadlineMs?: number }): Promise<void>;
}

/** Maximum number of connections; the operating system refuses more. */
const MAX_CONNECTIONS = 4000;

/** Time limits for slow visitors, in milliseconds (C22). */
export interface Patience {
  /** Time limit for receiving all headers. Default 10 s. */
  readonly headersMs?: number;
  /** A body slower than 1 KB a second is cut off after this. Default 5 s. */
  readonly bodyMs?: number;
  /** Time limit for reading a reply, longer for large ones. Default 25 s. */
  readonly readMs?: number;
}

/** Creates the HTTP server of an application. Reads and binds nothing before `listen`. */
export function createHttpServer(application: HttpApplication, patience: Patience = {}): HttpServer {
  const loadShedder = new LoadShedder(
    (ms, routes) =>
      application.log.warn(
        { heldUpMs: Math.round(ms), routes },
        'The event loop was blocked while these routes were running',
      ),
    application.config.patience,
  );
  const inFlight = new InFlight(patience.readMs);
  const streams = new EventStreams(application.database.changes, application.log);
  let stopping = false;
  let stopFollowing = (): void => {};
  let heap: { stop(): void } | undefined;
  const parts: HttpParts = {
    application,
    loadShedder,
    renderer: new Renderer(application),
    intake: new Intake({ checkMs: patience.bodyMs }),
    metrics: createMetrics(application, loadShedder),
    inFlight,
    streams,
    sites: createSites(application),
    newId: createRequestIds(),
    stopping: () => stopping,
  };
  const app = createApp(parts);
  const unreadable = errors(parts);
  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    if (stopping || application.draining) res.shouldKeepAlive = false;
    if (answerKeptPage(parts, req, res)) return;
    const [asRequest, asResponse] = [req as Request, res as Response];
    // Express calls this only for an address it can't parse.
    app(asRequest, asResponse, () => void unreadable(notValid(), asRequest, asResponse, () => {}));
  };
  const server = boundedServer(onRequest, patience.headersMs ?? 10_000);
  server.on('listening', () => {
    loadShedder.start();
    inFlight.start();
    heap = releaseHeap(server);
    stopFollowing = application.onSwitch((generation) => streams.endOthersThan(generation));
  });
  return {
    server,
    async listen(address = { host: application.config.host, port: application.config.port }) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(address.port, address.host, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return server.address() as AddressInfo;
    },
    async close({ graceMs = 2_000, deadlineMs = 7_000 } = {}) {
      stopping = true;
      stopFollowing();
      // Clients reconnect to a process that stays.
      streams.close();
      heap?.stop();
      await pause(graceMs);
      await closeServer(server, deadlineMs);
      inFlight.stop();
      loadShedder.stop();
    },
  };
}

function boundedServer(listener: (req: IncomingMessage, res: ServerResponse) => void, headersMs: number): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersMs,
      // Time limit for a large upload over a slow connection; `receive` cuts off trickling ones earlier.
      requestTimeout: 300_000,
      keepAliveTimeout: 15_000,
      connectionsCheckingInterval: Math.min(2_000, headersMs / 2),
      requireHostHeader: true,
    },
    listener,
  );
  server.maxHeadersCount = 100;
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = IDLE_MS;
  // `Expect: 100-continue` is answered when the body is about to be read.
  server.on('checkContinue', listener);
  return server;
}

async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections become idle one by one, as their last replies are sent.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

function pause(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
