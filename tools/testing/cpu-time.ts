/**
 * CPU time in milliseconds that this process and its threads use until `work` is done. Unlike wall-clock time, it hardly grows on a busy
 * machine; use it for work that must be fast for any input.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** How much slower this machine is right now than when idle: multiply browser timeouts by it, because a browser's CPU time isn't known. */
export function slowdown(): number {
  const startedAt = performance.now();
  const cpuStart = process.cpuUsage();
  let cpuMs = 0;
  while (cpuMs < 50) {
    const { user, system } = process.cpuUsage(cpuStart);
    cpuMs = (user + system) / 1_000;
  }
  return Math.max(1, (performance.now() - startedAt) / cpuMs);
}
