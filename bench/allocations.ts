import { setTimeout as sleep } from 'node:timers/promises';

/** Where Node's inspector listens after a process receives SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json';
/** Sampling interval: one allocation per this many bytes is recorded. */
const EVERY_BYTES = 8192;

interface Node {
  readonly selfSize: number;
  readonly children: readonly Node[];
}

/** Measures what a Node server allocates, through its inspector. */
export interface Allocations {
  /** Bytes allocated by the process while `work` runs, freed or not. */
  during(work: () => Promise<unknown>): Promise<number>;
  close(): void;
}

/** Opens the inspector of a process. Only one at a time per machine. */
export async function lookInto(pid: number): Promise<Allocations> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await address());
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const pending = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) pending.get(id)?.(result);
  });
  const call = <T>(method: string, params = {}): Promise<T> =>
    new Promise((resolve) => {
      const id = pending.size + 1;
      pending.set(id, (result) => resolve(result as T));
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    async during(work) {
      await call('HeapProfiler.startSampling', {
        samplingInterval: EVERY_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
      await work();
      const { profile } = await call<{ profile: { head: Node } }>('HeapProfiler.stopSampling');
      return sizeOf(profile.head);
    },
    close: () => socket.close(),
  };
}

async function address(): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt++) {
    await sleep(100);
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch {
      // Not listening yet.
    }
  }
  throw new Error(`${INSPECTOR} is not responding.`);
}

function sizeOf({ selfSize, children }: Node): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}
