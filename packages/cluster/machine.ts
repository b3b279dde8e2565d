import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where a process id names one process: a machine since it was started, and in it the container. Null where that cannot be told; then the processes
 * of this place only count as dead when their lease has ended.
 */
function findMachine(): string | null {
  if (process.platform !== 'linux') return `${process.platform} ${hostname()}`;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

/** The place of this process; see {@link isGone}. */
export const machine: string | null = findMachine();

/** Whether a process that left these words has ended for sure. One of another machine may live; so does one whose number another process has now. */
export function isGone(place: unknown, pid: unknown): boolean {
  if (machine === null || place !== machine || !Number.isSafeInteger(Number(pid)) || Number(pid) <= 0) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return Error.isError(error) && 'code' in error && error.code === 'ESRCH';
  }
}
