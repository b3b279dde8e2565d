import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * CPU time in ms without a sign of life after which a server counts as stuck. Wall-clock time would be misleading: on an overloaded machine
 * any server goes silent.
 */
const STUCK_CPU_MS = 5_000;

/**
 * Detects a server in an endless loop by the CPU time it uses while silent.
 *
 * @param cpuTime CPU time used so far in ms; null if the system doesn't report it, then no server counts as stuck
 */
export class SilenceWatch {
  readonly #cpuTime: () => number | null;
  #usedBefore: number | null;

  constructor(cpuTime: () => number | null) {
    this.#cpuTime = cpuTime;
    this.#usedBefore = cpuTime();
  }

  /** Records a sign of life. */
  heard(): void {
    this.#usedBefore = this.#cpuTime();
  }

  get isStuck(): boolean {
    const now = this.#cpuTime();
    return now !== null && this.#usedBefore !== null && now - this.#usedBefore > STUCK_CPU_MS;
  }
}

/** CPU time used by a process in ms, or null if the system doesn't report it. */
export function cpuTimeOf(pid: number | undefined): number | null {
  if (pid === undefined) return null;
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): number | null {
  // After the name in parentheses, user and system time are the 12th and 13th field, in hundredths of a second.
  const [, stat = ''] = /\)(.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = Number.NaN, system = Number.NaN] = stat.trim().split(' ').slice(11, 13).map(Number);
  const used = (user + system) * 10;
  return Number.isNaN(used) ? null : used;
}

/** `[[days-]hours:]minutes:seconds`, the POSIX format. */
function fromPs(pid: number): number | null {
  const text = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [seconds = Number.NaN, minutes = 0, hours = 0, days = 0] = text.split(/[-:]/).map(Number).reverse();
  const used = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  return Number.isNaN(used) ? null : used;
}
