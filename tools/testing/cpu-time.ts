/**
 * CPU time in milliseconds that this process, with its threads, spends until `work` is done. Unlike the time on the wall it hardly grows on a busy
 * machine: tests of work that must be quick whatever its input measure this.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** How many times as long work takes now as on an idle machine: a limit on time in a browser, whose CPU time isn't known, is multiplied by it. */
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
