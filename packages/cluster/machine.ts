import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Scope in which a process id is unique: a machine since its last boot, and the container on it. Null if unknown; then processes of this
 * place count as dead only once their lease expires.
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

/** Scope of this process; see {@link isGone}. */
export const machine: string | null = findMachine();

/**
 * Whether the process that recorded this place and pid has definitely ended. Processes of other machines may be alive, and so may one whose
 * pid is in use again.
 */
export function isGone(place: unknown, pid: unknown): boolean {
  if (machine === null || place !== machine || !Number.isSafeInteger(Number(pid)) || Number(pid) <= 0) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return Error.isError(error) && 'code' in error && error.code === 'ESRCH';
  }
}
