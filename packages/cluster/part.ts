import { definePart, discovery, generations, loadedVersions, type Part, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { createLeases, type Leases } from './lease.ts';
import { createNodes, type Nodes, type NodesOptions } from './nodes.ts';
import { tables } from './tables.ts';

/** The processes that serve this site. */
export const nodes = value<Nodes>('nodes');
export const leases = value<Leases>('leases');

/**
 * How long readiness fails before new connections are refused, in ms: gives a load balancer time to notice if other nodes can take over.
 */
const GRACE_MS = 3000;

/** Coordinates several processes that serve one site. */
export const clusterPart = createClusterPart();

/** The part with different intervals, for tests. */
export function createClusterPart({ everyMs }: Pick<NodesOptions, 'everyMs'> = {}): Part {
  return definePart({
    name: 'cluster',
    needs: [dbPart],
    tables,
    provide({ config, log, get, set }) {
      const versions = loadedVersions(get(discovery));
      const processes = createNodes({
        database: get(database),
        log,
        node: config.nodeId,
        holder: get(generations),
        versions: () => versions,
        everyMs,
      });
      set(nodes, processes);
      set(leases, createLeases(get(database), processes.instance, log));
    },
    phases: {
      ready: ({ get }) => get(nodes).start(),
      async drain({ get }) {
        const all = get(nodes);
        await all.report({ draining: true });
        return (await all.live()).length > 1 ? GRACE_MS : 0;
      },
      stop: ({ get }) => get(nodes).stop(),
    },
  });
}
