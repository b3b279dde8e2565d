import type { NodeInfo, Nodes } from '@pergola/cluster';

/** Time in ms for running processes of the site to pick up a change. */
const PATIENCE_MS = 90_000;
const POLL_MS = 100;

/**
 * Waits until all running processes of the site serve this generation or a later one. If only newer code can serve it, a process is
 * replaced by a new one, which takes a few seconds.
 *
 * @param onWait called once with the processes that don't serve it yet, if there are any
 * @returns the processes that still don't serve it after `patienceMs`
 */
export async function awaitNodes(
  nodes: Pick<Nodes, 'live'>,
  number: number,
  { onWait, patienceMs = PATIENCE_MS }: { onWait(behind: readonly NodeInfo[]): void; patienceMs?: number },
): Promise<readonly NodeInfo[]> {
  const end = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    // A process being replaced keeps answering until it exits.
    const outdatedNodes = (await nodes.live()).filter(({ generation }) => generation !== null && generation < number);
    if (outdatedNodes.length === 0 || performance.now() >= end) return outdatedNodes;
    if (isFirst) onWait(outdatedNodes);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
