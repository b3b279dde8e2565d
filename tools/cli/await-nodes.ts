import type { NodeInfo, Nodes } from '@pergola/cluster';

/** How long running processes of the site get to serve a change, in ms. */
const PATIENCE_MS = 90_000;
const POLL_MS = 100;

/**
 * Waits until all running processes of the site serve a generation, or a later one. If only newer code can serve it, a process has a fresh one take its
 * place, which takes some seconds.
 *
 * @param onWait called once with the processes that don't serve it yet, unless there are none
 * @returns the processes that still don't serve it after `patienceMs`
 */
export async function awaitNodes(
  nodes: Pick<Nodes, 'live'>,
  number: number,
  { onWait, patienceMs = PATIENCE_MS }: { onWait(behind: readonly NodeInfo[]): void; patienceMs?: number },
): Promise<readonly NodeInfo[]> {
  const end = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    // A process that gives way still answers while it ends.
    const behind = (await nodes.live()).filter(({ generation }) => generation !== null && generation < number);
    if (behind.length === 0 || performance.now() >= end) return behind;
    if (isFirst) onWait(behind);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
