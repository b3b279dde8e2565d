import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Microseconds of CPU that a process and all its threads have used since it started, to 10 milliseconds; `children` includes ended child
 * processes (Linux only).
 */
export function cpuTime(pid: number, children = false): number {
  if (existsSync(`/proc/${pid}/stat`)) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name, in parentheses, may contain anything; utime, stime and their counterparts for children are the 12th to 15th field
    // after it, in hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, children ? 15 : 13).reduce((sum, field) => sum + Number(field) * 10_000, 0);
  }
  // [[days-]hours:]minutes:seconds[.hundredths]
  const [clock = '', days = '0'] = ps('time', pid).split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1_000_000;
}

/** Resident memory of a process in bytes (RSS). */
export function residentMemory(pid: number): number {
  if (existsSync(`/proc/${pid}/status`)) {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  }
  return Number(ps('rss', pid)) * 1024;
}

function ps(column: string, pid: number): string {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
}

/** CPU of all PostgreSQL processes on this machine, in microseconds. */
export function databaseCpu(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => {
    try {
      // Includes connections that have closed since: their parent process has waited for them.
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' ? sum + cpuTime(Number(pid), true) : sum;
    } catch {
      // The process has ended in the meantime.
      return sum;
    }
  }, 0);
}
