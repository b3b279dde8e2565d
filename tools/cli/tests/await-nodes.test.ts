import type { NodeInfo } from '@pergola/cluster';
import { awaitNodes } from '../await-nodes.ts';

const node = (pid: number, generation: number | null): NodeInfo => ({
  instance: String(pid),
  node: 'main',
  host: 'here',
  pid,
  started: new Date(0),
  generation,
  oldest: generation,
  versions: {},
  draining: false,
});
const pids = (nodes: readonly NodeInfo[]): number[] => nodes.map(({ pid }) => pid);

test('Processes that serve an older generation are waited for; those that serve nothing yet are not', async () => {
  const states = [[node(1, 4), node(2, 5), node(3, null)], [node(1, 4)], [node(2, 6)]];
  const waiting: number[][] = [];
  const onWait = (outdatedNodes: readonly NodeInfo[]): void => void waiting.push(pids(outdatedNodes));
  expect(await awaitNodes({ live: async () => states.shift() ?? [] }, 5, { onWait })).toEqual([]);
  expect([states, waiting]).toEqual([[], [[1]]]);
});

test('Processes that go on serving an older generation are returned in the end', async () => {
  const live = async (): Promise<NodeInfo[]> => [node(1, 4), node(2, 5)];
  expect(pids(await awaitNodes({ live }, 5, { onWait: () => {}, patienceMs: 0 }))).toEqual([1]);
});
