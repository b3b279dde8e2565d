// Public API of the package; see README.md for its purpose.

export { Breakers, type GuardedCall, type GuardedPart } from './breakers/breakers.ts';
export { guardExtension } from './breakers/extension.ts';
export { routeOff } from './breakers/faults.ts';
export { breakers } from './breakers/key.ts';
export { breakersPart } from './breakers/part.ts';
export { type HeldLease, type Leases, leaseHolder, SWITCH_LEASE } from './lease.ts';
export { liveNodes, type NodeInfo, type Nodes, nodesBehind } from './nodes.ts';
export { clusterPart, leases, nodes } from './part.ts';
