import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fill } from '../tools/testing/fixtures/fx_reference/addon.ts';
import type { TestApp } from '../tools/testing/index.ts';
import { openPostgres, type Served, serveApp, startRole } from './app-process.ts';
import { type Gaps, residentMemory, watchGaps } from './harness.ts';

/**
 * An addon that extends tables of another is disabled and enabled 50 times (`--times`), then uninstalled, while three visitors continuously
 * request a page of a third addon. Limits: no failed request; the longest gap between two responses at most 100 ms longer than without
 * switching, measured just before for the same time; memory back to its level after an equal rest (`--rest`, 30 s).
 */
const switched = 'fx_shared_columns';
const visitors = 3;

/** Runs in the forked process: switches the addon on request and reports when it is done. */
async function serve(database: 'sqlite' | 'postgres', times: number): Promise<void> {
  await serveApp({ addons: ['web', 'fx_reference', switched], database }, async (app) => {
    await app.write(fill);
    await app.application.startBackground();
    process.on('message', (message) => void answer(app, message, times));
    return '/reference/fresh';
  });
}

async function answer({ application }: TestApp, message: unknown, times: number): Promise<void> {
  const startedAt = performance.now();
  try {
    if (message === 'switch') {
      for (let turn = 0; turn < times; turn++) {
        await application.lifecycle.disable([switched], { yes: true });
        await application.lifecycle.enable([switched], { yes: true });
      }
      await application.lifecycle.uninstall(switched, { confirm: switched });
    }
    process.send?.({ took: performance.now() - startedAt });
  } catch (error) {
    process.send?.({ took: performance.now() - startedAt, error: Error.isError(error) ? error.stack : String(error) });
  }
}

interface Run {
  readonly gaps: readonly Gaps[];
  readonly took: number;
  readonly memory: number;
}

/** Lets visitors request the page while `during` runs; memory is measured after a rest. */
async function watch({ url, pid }: Served, restSeconds: number, during: () => Promise<number>): Promise<Run> {
  const watching = Array.from({ length: visitors }, () => watchGaps(url));
  const durationMs = await during();
  const gaps = await Promise.all(watching.map((watcher) => watcher.stop()));
  await sleep(restSeconds * 1000);
  return { gaps, took: durationMs, memory: residentMemory(pid) };
}

async function switching(served: Served): Promise<number> {
  const { took, error } = await served.ask<{ took: number; error?: string }>('switch');
  if (error !== undefined) throw new Error(error);
  return took;
}

async function measure(database: 'sqlite' | 'postgres', times: number, restSeconds: number): Promise<void> {
  const postgres = database === 'postgres' ? await openPostgres() : null;
  const served = await startRole(import.meta.url, database, String(times));
  try {
    await watch(served, 1, () => sleep(3000, 3000));
    const idleRun = await watch(served, restSeconds, () => sleep(10_000, 10_000));
    const switchingRun = await watch(served, restSeconds, () => switching(served));
    const longest = (run: Run): number => Math.max(...run.gaps.map((gap) => gap.longest));
    const line = (name: string, run: Run): string => {
      const failures = run.gaps.flatMap((gap) => gap.failures);
      const requests = run.gaps.reduce((sum, gap) => sum + gap.requests, 0);
      const cells = [database, name, requests, failures.length, `${longest(run).toFixed(0)} ms`];
      return `| ${[...cells, `${Math.round(run.memory / 1e6)} MB`, failures.slice(0, 3).join('; ')].join(' | ')} |`;
    };
    console.log(line('nothing is switched', idleRun));
    console.log(
      line(`${times} times off and on, uninstalled, in ${(switchingRun.took / 1000).toFixed(1)} s`, switchingRun),
    );
    console.log(`  stall: ${Math.max(0, longest(switchingRun) - longest(idleRun)).toFixed(0)} ms (limit 100)`);
  } finally {
    await served.stop();
    await postgres?.close();
  }
}

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({ options: { times: text, rest: text }, allowPositionals: true });
const [role, turns] = positionals;
if (role === 'sqlite' || role === 'postgres') await serve(role, Number(turns));
else {
  console.log('| database | run | requests | failed | longest gap | memory | failures |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const database of ['sqlite', 'postgres'] as const)
    await measure(database, Number(values.times ?? 50), Number(values.rest ?? 30));
}
