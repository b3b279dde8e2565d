/** Returns the successors of a node in a directed graph. */
type Next<N> = (node: N) => Iterable<N>;

/** Returns all nodes reachable from these, including themselves. */
export function reachable<N>(from: Iterable<N>, next: Next<N>): Set<N> {
  const nodes = new Set(from);
  // Iterating a set includes nodes added on the way.
  for (const node of nodes) for (const successor of next(node)) nodes.add(successor);
  return nodes;
}

/** Returns the shortest cycle through a node: `[a, b, c]`, where c leads to a. Null without a cycle. */
export function wayBack<N>(start: N, next: Next<N>): N[] | null {
  const path = shortestWay(next(start), start, next);
  return path && [start, ...path.slice(0, -1)];
}

/** Returns the shortest path from one of these nodes to another, including both ends, or null. */
export function shortestWay<N>(from: Iterable<N>, to: N, next: Next<N>): N[] | null {
  const paths = new Map([...from].map((node) => [node, [node]]));
  for (const [node, path] of paths) {
    if (node === to) return path;
    for (const successor of next(node)) if (!paths.has(successor)) paths.set(successor, [...path, successor]);
  }
  return null;
}

/** Sorts nodes after all their successors. Calls `onCircle` with each cycle, the first node repeated at the end. */
export function inOrder<N>(nodes: Iterable<N>, next: Next<N>, onCircle: (circle: readonly N[]) => void): N[] {
  const ordered = new Set<N>();
  const open: N[] = [];
  const visit = (node: N): void => {
    if (ordered.has(node)) return;
    if (open.includes(node)) {
      onCircle([...open.slice(open.indexOf(node)), node]);
      return;
    }
    open.push(node);
    for (const successor of next(node)) visit(successor);
    open.pop();
    ordered.add(node);
  };
  for (const node of nodes) visit(node);
  return [...ordered];
}
