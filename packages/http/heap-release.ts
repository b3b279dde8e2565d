import type { Server } from 'node:http';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** How long nobody may have asked for anything before memory is given back, in ms. */
const QUIET_MS = 8000;
/** Less growth than this is not worth a pause, in bytes. */
const WORTH = 32 * 2 ** 20;

/**
 * Gives the memory of a load back once it is over: V8 keeps what it took until it needs it again, some hundreds of megabytes. Collecting takes
 * about a tenth of a second, so it happens when nobody has asked for anything for some seconds, and once for each load.
 */
export function releaseHeap(server: Server, { quietMs = QUIET_MS }: { quietMs?: number } = {}): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let last = 0;
  let kept = 0;
  const look = (): void => {
    const left = last + quietMs - performance.now();
    timer = left > 0 ? setTimeout(look, left).unref() : undefined;
    if (timer || held() - kept < WORTH) return;
    giveBack();
    kept = held();
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

/** Bytes the heap holds of the machine's memory. */
function held(): number {
  return getHeapStatistics().total_physical_size;
}

function giveBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
