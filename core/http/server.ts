import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Semaphore } from '../semaphore.ts';
import type { HttpParts } from './call.ts';
import { Gate } from './gate.ts';
import { InFlight } from './in-flight.ts';
import type { HttpKernel } from './kernel-face.ts';
import { createMetrics } from './metrics.ts';
import { answerProbe } from './probes.ts';
import { Renderer } from './render.ts';
import { createRequestHandler } from './request.ts';
import { createSites } from './sites.ts';

export interface HttpServer {
  /** The server itself, for handing its socket over. */
  readonly server: Server;
  /** Listens where the configuration says; answers the address it got. */
  listen(address?: { readonly host: string; readonly port: number }): Promise<AddressInfo>;
  /**
   * Stops gracefully: `/readyz` says no at once while everything is still served for `graceMs` (so that a balancer notices), then nothing new is
   * accepted, idle connections are closed, requests under way are answered, and after `deadlineMs` what is left is cut off.
   */
  close(options?: { graceMs?: number; deadlineMs?: number }): Promise<void>;
}

/** At most so many connections at once; more are refused by the system's own means. */
const MOST_CONNECTIONS = 4000;
/** Large request bodies in memory at once. */
const LARGE_BODIES = 2;

/** Makes the HTTP server of an application. Nothing is read or listened to before `listen`. */
export function createHttpServer(kernel: HttpKernel): HttpServer {
  const gate = new Gate();
  const metrics = createMetrics(kernel, gate);
  const inFlight = new InFlight();
  const parts: HttpParts = { kernel, gate, renderer: new Renderer(kernel.guards), large: new Semaphore(LARGE_BODIES) };
  const handle = createRequestHandler({ parts, metrics, inFlight, sites: createSites(kernel) });
  let stopping = false;
  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    if (stopping || kernel.draining) res.shouldKeepAlive = false;
    if (!answerProbe(req, res, { kernel, metrics, stopping })) handle(req, res);
  };
  const server = bounded(onRequest);
  return {
    server,
    async listen(address = { host: kernel.config.host, port: kernel.config.port }) {
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
      await pause(graceMs);
      await closeServer(server, deadlineMs);
      inFlight.stop();
      gate.stop();
    },
  };

  function bounded(listener: (req: IncomingMessage, res: ServerResponse) => void): Server {
    const made = createServer(
      {
        maxHeaderSize: 16 * 1024,
        headersTimeout: 10_000,
        // The whole body of a large upload over a slow line; `receive` cuts off those that merely drip.
        requestTimeout: 300_000,
        keepAliveTimeout: 15_000,
        connectionsCheckingInterval: 2_000,
        requireHostHeader: true,
      },
      listener,
    );
    made.maxHeadersCount = 100;
    made.maxConnections = MOST_CONNECTIONS;
    made.timeout = 120_000;
    // Asking first whether a body is welcome is answered when the body is about to be read.
    made.on('checkContinue', listener);
    made.on('listening', () => {
      gate.start();
      inFlight.start();
    });
    return made;
  }
}

async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections become idle one after the other, as their last answers go out.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

function pause(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
