// What other parts may import; README.md says what the part is for.

export { createHandover, type Handover } from './handover.ts';
export { createLeases, type HeldLease, type Leases, leaseHolder, SWITCH_LEASE } from './lease.ts';
export { createNodes, liveNodes, type NodeInfo, type Nodes, nodesBehind } from './nodes.ts';
export { tables } from './tables.ts';
