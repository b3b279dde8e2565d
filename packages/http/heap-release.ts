import type { Server } from 'node:http';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** Time without requests before memory is released, in ms. */
const QUIET_MS = 8000;
/** Heap growth below this isn't worth a pause, in bytes. */
const WORTH = 32 * 2 ** 20;

/**
 * Releases memory after a load peak: V8 keeps some hundreds of megabytes until it needs them again. A collection takes about a tenth of a
 * second, so it runs after a few seconds without requests, once per peak.
 */
export function releaseHeap(server: Server, { quietMs = QUIET_MS }: { quietMs?: number } = {}): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let last = 0;
  let baseline = 0;
  const look = (): void => {
    const remainingMs = last + quietMs - performance.now();
    timer = remainingMs > 0 ? setTimeout(look, remainingMs).unref() : undefined;
    if (timer || held() - baseline < WORTH) return;
    giveBack();
    baseline = held();
  };
  const onRequest = (): void => {
    last = performance.now();
    timer ??= setTimeout(look, quietMs).unref();
  };
  server.on('request', onRequest);
  return {
    stop() {
      server.off('request', onRequest);
      clearTimeout(timer);
    },
  };
}

/** Physical memory of the heap in bytes. */
function held(): number {
  return getHeapStatistics().total_physical_size;
}

function giveBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
