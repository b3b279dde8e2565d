import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Microseconds of CPU that a process and all its threads have used since it started, to 10 milliseconds. */
export function cpuTime(pid: number): number {
  if (existsSync(`/proc/${pid}/stat`)) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything; utime and stime are the 12th and 13th field after it, in hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  }
  // [[days-]hours:]minutes:seconds[.hundredths]
  const [clock = '', days = '0'] = ps('time', pid).split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1_000_000;
}

/** Bytes of memory that a process holds now (RSS). */
export function residentMemory(pid: number): number {
  if (existsSync(`/proc/${pid}/status`)) {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  }
  return Number(ps('rss', pid)) * 1024;
}

function ps(column: string, pid: number): string {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
}
