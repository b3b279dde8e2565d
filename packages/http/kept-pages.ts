import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpParts } from './routes/call.ts';
import type { Lease } from './types.ts';

/**
 * Sends a cached page to a visitor without a session, synchronously and before any per-page objects are created. Returns false for all
 * other requests.
 *
 * Runs in front of Express, like a cache in front of any application: as the first middleware, a cached page takes 31 µs of CPU instead of
 * 26 (a bare server takes 24), and throughput drops by a fifth.
 */
export function answerKeptPage({ application, sites }: HttpParts, req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  let lease: Lease;
  try {
    lease = application.lease();
  } catch {
    // No generation serves yet; the error middleware reports that.
    return false;
  }
  const { site, locator } = sites(lease.generation);
  // Everything below is synchronous, so the generation can't be disposed meanwhile; and a `finally` would take a tenth of the total time.
  lease.release();
  const state = site.peek();
  const host = state && application.guards.resolveHost(req, state.hosts);
  return host !== null && application.pageCache.answer(req, res, host, locator);
}
