/**
 * CPU time in milliseconds that this process and its threads use until `work` is done. Unlike wall-clock time, it hardly grows on a busy
 * machine; use it for work that must be fast for any input.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** How much slower this machine is right now than when idle: multiply browser timeouts by it, because a browser's CPU time isn't known. */
export function slowdown(): number {
  const began = performance.now();
  const before = process.cpuUsage();
  let spent = 0;
  while (spent < 50) {
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1_000;
  }
  return Math.max(1, (performance.now() - began) / spent);
}
