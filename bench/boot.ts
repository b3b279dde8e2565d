import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { repository } from '@pergola/core';
import { writeFakeAddons } from './fake-addons.ts';
import { cpuTime, load, type RunningServer, residentMemory, startServer } from './harness.ts';

/**
 * Startup time of the site, and its memory 30 seconds after a load test (`--rest`). Runs with all shipped addons on an existing database
 * (limits: 1 s, 200 MB), then with 200 more addons (`--addons`), each with a model, a template and three routes (limit: 3 s). CPU time is
 * shown next to wall-clock time because other work on the machine doesn't affect it.
 */
const number = { type: 'string' } as const;
const { values } = parseArgs({ options: { addons: number, rest: number, starts: number } });
const count = Number(values.addons ?? 200);
const restSeconds = Number(values.rest ?? 30);
const starts = Number(values.starts ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'pergola-boot-'));
mkdirSync(join(folder, 'data'));

function environment(dataDir: string, addonsPath = ''): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    ADMIN_PASSWORD: 'measured only, nowhere else',
    SESSION_SECRET: 'measured only, nowhere else, by nobody',
    ADDONS_PATH: addonsPath,
  };
}

/** Starts the site several times and prints the fastest start. */
async function restarts(name: string, env: Record<string, string>): Promise<void> {
  const runs: { ms: number; cpu: number; first: number; memory: number }[] = [];
  for (let turn = 0; turn < starts; turn++) {
    const server = await startServer({ env });
    const cpu = cpuTime(server.pid) / 1000;
    const requestedAt = performance.now();
    await (await fetch(server.url)).text();
    runs.push({
      ms: server.startTime,
      cpu,
      first: performance.now() - requestedAt,
      memory: residentMemory(server.pid),
    });
    await server.stop();
  }
  const [best] = runs.toSorted((a, b) => a.ms - b.ms);
  if (!best) return;
  row(
    name,
    `${best.ms.toFixed(0)} ms`,
    `${best.cpu.toFixed(0)} ms`,
    `${best.first.toFixed(0)} ms`,
    megabytes(best.memory),
  );
}

function row(...cells: string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

async function memoryAfterLoad(env: Record<string, string>): Promise<void> {
  const server: RunningServer = await startServer({ env });
  try {
    await load({ name: 'home page', url: `${server.url}/`, pid: server.pid, status: 200 }, 5, 32);
    await load({ name: 'sign-in page', url: `${server.url}/web/login`, pid: server.pid, status: 200 }, 5, 32);
    const loadedMemory = residentMemory(server.pid);
    await sleep(restSeconds * 1000);
    console.log(
      `\nMemory: ${megabytes(loadedMemory)} under load, ${megabytes(residentMemory(server.pid))} ${restSeconds} s later (limit 200 MB).`,
    );
  } finally {
    await server.stop();
  }
}

const run = promisify(execFile);
const pergola = (env: Record<string, string>, ...words: string[]): Promise<unknown> =>
  run(process.execPath, [join(repository, 'bin/pergola.js'), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, UV_THREADPOOL_SIZE: '16', LOG_LEVEL: 'error', ...env },
    maxBuffer: 50_000_000,
  });

try {
  const shipped = environment(join(folder, 'data'));
  row('start', 'until it answers', 'CPU until then', 'first page', 'memory');
  row('---', '---', '---', '---', '---');
  const first = await startServer({ env: shipped, timeout: 120_000 });
  row(
    'first start, empty database',
    `${first.startTime.toFixed(0)} ms`,
    `${(cpuTime(first.pid) / 1000).toFixed(0)} ms`,
    '',
    megabytes(residentMemory(first.pid)),
  );
  await first.stop();
  await restarts('restart (limit 1 s)', shipped);
  const addons = join(folder, 'addons');
  const names = writeFakeAddons(addons, { count, routes: 2, isComplete: true });
  const more = environment(join(folder, 'data'), addons);
  await pergola(more, 'enable', ...names, '--yes');
  await restarts(`restart with ${count} more addons (limit 3 s)`, more);
  await pergola(more, 'disable', ...names, '--yes');
  await memoryAfterLoad(shipped);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
