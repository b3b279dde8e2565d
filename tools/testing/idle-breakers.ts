import { Breakers } from '@pergola/cluster';
import { createLog } from '@pergola/core';

/** Breakers that never switch anything off, for tests of a single part. */
export function idleBreakers(): Breakers {
  return new Breakers({ addons: [], pauseMs: 0, secret: '', log: createLog('silent'), save: async () => {} });
}
