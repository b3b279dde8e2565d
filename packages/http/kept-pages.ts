import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpParts } from './routes/call.ts';
import type { Lease } from './types.ts';

/**
 * Answers with a kept page, for a visitor without a session, if there is one: in this tick, and without anything that only a page needs that is made.
 * False for every other request.
 *
 * It stands in front of Express, as a cache in front of any application would: as its first middleware a kept page takes 31 µs of CPU instead of 26 (a
 * bare server 24), and a fifth fewer are answered.
 */
export function answerKeptPage({ application, sites }: HttpParts, req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  let lease: Lease;
  try {
    lease = application.lease();
  } catch {
    // Nothing is served yet; the error middleware says so.
    return false;
  }
  const { site, locator } = sites(lease.generation);
  // Nothing below waits, so the generation that serves cannot go meanwhile; and a `finally` here costs a tenth of the whole.
  lease.release();
  const state = site.peek();
  const host = state && application.guards.resolveHost(req, state.hosts);
  return host !== null && application.pageCache.answer(req, res, host, locator);
}
