/** What a node of a directed graph leads to. */
type Next<N> = (node: N) => Iterable<N>;

/** All that these nodes lead to, themselves included. */
export function reachable<N>(from: Iterable<N>, next: Next<N>): Set<N> {
  const found = new Set(from);
  // What is added on the way has its turn too.
  for (const node of found) for (const other of next(node)) found.add(other);
  return found;
}

/** The shortest way from a node back to itself: `[a, b, c]`, where c leads to a. Null when there is none. */
export function wayBack<N>(start: N, next: Next<N>): N[] | null {
  const way = shortestWay(next(start), start, next);
  return way && [start, ...way.slice(0, -1)];
}

/** The shortest way from one of these nodes to another, both included. Null when there is none. */
export function shortestWay<N>(from: Iterable<N>, to: N, next: Next<N>): N[] | null {
  const ways = new Map([...from].map((node) => [node, [node]]));
  for (const [node, way] of ways) {
    if (node === to) return way;
    for (const other of next(node)) if (!ways.has(other)) ways.set(other, [...way, other]);
  }
  return null;
}

/** Each node after all that it leads to. `onCircle` is told of nodes that lead to each other, the first once more at the end. */
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
    for (const other of next(node)) visit(other);
    open.pop();
    ordered.add(node);
  };
  for (const node of nodes) visit(node);
  return [...ordered];
}
