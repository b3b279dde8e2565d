import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '@pergola/core';
import { cpuTime } from './processes.ts';

// Measures a run of the test suite, or a part of it: `npx node bench/suite.ts --busy 8 --times 3 -- packages/db`.
//
// With `--beside <checkout>`, runs alternate with the other checkout, to compare two commits on one machine.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    busy: { type: 'string', default: '0' },
    times: { type: 'string', default: '1' },
    beside: { type: 'string', multiple: true, default: [] },
  },
});
const checkouts = [...values.beside.map((folder) => resolve(folder)), repository];
const loops = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
const rows: Record<string, string | number>[] = [];
try {
  for (let turn = 1; turn <= Number(values.times); turn += 1)
    for (const checkout of checkouts) rows.push({ turn, checkout, ...(await runTests(checkout)) });
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}
console.table(rows);
process.exitCode = rows.every(({ failed }) => failed === 0) ? 0 : 1;

interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Includes all child processes, such as browsers and databases; NaN if the system doesn't count them. */
  readonly cpuSeconds: number;
}

async function runTests(checkout: string): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'));
  const report = join(folder, 'report.json');
  const started = performance.now();
  const cpuBefore = childrenCpu();
  try {
    const run: ChildProcess = spawn('npm', ['test', '--', '--json', `--outputFile=${report}`, ...positionals], {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(run, 'close');
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
    return {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      seconds: Math.round((performance.now() - started) / 1000),
      cpuSeconds: Math.round((childrenCpu() - cpuBefore) / 1e6),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Microseconds of CPU of ended child processes and their descendants. */
function childrenCpu(): number {
  return cpuTime(process.pid, true) - cpuTime(process.pid);
}
