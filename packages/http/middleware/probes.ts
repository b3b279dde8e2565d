import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Metrics } from '../metrics.ts';
import type { HttpParts } from '../routes/call.ts';

/** Headers by which a proxy marks forwarded requests. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, which machines request by IP address, before any other check. Both probes return only yes or
 * no. Metrics are for this machine and the trusted proxies themselves, not for clients they forward.
 */
export function probes(parts: HttpParts): RequestHandler {
  return function probes(req, res, next) {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    switch (req.url) {
      case '/healthz':
        return send(req, res, 200, 'ok\n');
      case '/readyz':
        void isReady(parts).then((ready) => send(req, res, ready ? 200 : 503, ready ? 'ready\n' : 'not ready\n'));
        return;
      case '/metrics':
        if (!parts.application.guards.isTrustedPeer(req) || forwarding.some((name) => req.headers[name] !== undefined))
          return next();
        void sendMetrics(req, res, parts.metrics);
        return;
      default:
        return next();
    }
  };
}

async function isReady({ application, stopping }: HttpParts): Promise<boolean> {
  if (stopping() || application.draining || application.unready.length > 0) return false;
  try {
    // Waiting email and overdue jobs don't count: another node wouldn't help, and visitors would lose the pages too.
    const disks = await application.vitals.disks();
    return disks.every(({ state }) => state !== 'full') && (await application.database.health());
  } catch {
    return false;
  }
}

async function sendMetrics(req: IncomingMessage, res: ServerResponse, metrics: Metrics): Promise<void> {
  try {
    const { text, contentType } = await metrics.text();
    send(req, res, 200, text, contentType);
  } catch {
    send(req, res, 500, 'not available\n');
  }
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  if (res.destroyed) return;
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.end(req.method === 'HEAD' ? undefined : text);
}
