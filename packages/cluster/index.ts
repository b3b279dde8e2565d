// Public API of the package; see README.md for its purpose.

export { type HeldLease, type Leases, leaseHolder, SWITCH_LEASE } from './lease.ts';
export { liveNodes, type NodeInfo, type Nodes, nodesBehind } from './nodes.ts';
export { clusterPart, leases, nodes } from './part.ts';
