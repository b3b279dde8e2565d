export { type ComputeNode, type DependencyGraph, dependencyGraph, type Trigger } from './graph.ts';
export { computeOnRead, relatedOnRead } from './on-read.ts';
export { nextIds, recompute } from './recompute.ts';
