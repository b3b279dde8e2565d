import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '@pergola/core';
import fc from 'fast-check';
import { nearestTests, partOf } from '../tools/testing/nearest-tests.ts';
import { type Fault, faultsIn } from './mutants/faults.ts';
import type { Result } from './mutants/runner.ts';

// Mutation testing: plants faults at random places of core and addons, in a clone of the last commit, and runs the nearest tests: `npx node
// bench/mutants.ts --count 400 --seed 1 packages/db addons`. All faults are planted at once first, each behind a switch; one process per
// test file of the same part turns on the faults whose code the file runs, one after another. Faults that go unnoticed, or run in a
// browser, are then planted one by one, and the tests that import the file run again; `--quick` skips that step. `--places
// 'packages/db/url.ts:12 …'` uses the faults of these lines instead of random ones.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    places: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const parts = positionals.length > 0 ? positionals : ['core', 'packages', 'addons'];

const isProduct = (file: string): boolean =>
  !/\/(tests|demo|fixtures|migrations|node_modules|i18n)\/|\.d\.ts$/.test(file);

function chooseFaults(): Fault[] {
  if (values.places !== undefined) {
    const places = values.places.split(/\s+/).filter(Boolean);
    const files = new Set(places.map((place) => place.split(':')[0] ?? ''));
    const faults = [...files].flatMap((file) => faultsIn(repository, file));
    return withoutOverlaps(faults.filter(({ file, line }) => places.includes(`${file}:${line}`)));
  }
  const count = Number(values.count);
  const files = parts.flatMap((part) => globSync(`${part}/**/*.{ts,tsx}`, { cwd: repository })).filter(isProduct);
  const all = files.flatMap((file) => faultsIn(repository, file));
  console.log(`${all.length} places in ${files.length} files`);
  const minLength = Math.min(all.length, 2 * count);
  const [sample = []] = fc.sample(fc.shuffledSubarray(all, { minLength }), { seed: Number(values.seed), numRuns: 1 });
  return withoutOverlaps(sample).slice(0, count);
}

function withoutOverlaps(faults: readonly Fault[]): Fault[] {
  const selected: Fault[] = [];
  const overlaps = (a: Fault, b: Fault): boolean => a.file === b.file && a.start < b.end && b.start < a.end;
  for (const fault of faults) if (!selected.some((candidate) => overlaps(candidate, fault))) selected.push(fault);
  return selected;
}

const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
const clone = join(folder, 'clone');
const results = join(folder, 'results');
execFileSync('git', ['clone', '--quiet', repository, clone]);
symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'));

function jest(args: readonly string[], env: NodeJS.ProcessEnv = {}): number | null {
  const options = { cwd: clone, env: { ...process.env, ...env }, stdio: 'ignore', timeout: 900_000 } as const;
  return spawnSync('npm', ['test', '--silent', '--', ...args], options).status;
}

/** Writes a file with these faults planted. */
function plant(file: string, faults: readonly Fault[], textOf: (fault: Fault) => string): void {
  let source = execFileSync('git', ['show', `HEAD:${file}`], { cwd: clone, maxBuffer: 2 ** 26 });
  for (const fault of [...faults].sort((a, b) => b.start - a.start))
    source = Buffer.concat([source.subarray(0, fault.start), Buffer.from(textOf(fault)), source.subarray(fault.end)]);
  writeFileSync(join(clone, file), source);
}

/** Test files of the faults' parts with the faults to try, without browser tests; nearest and smallest tests first. */
function planOf(faults: readonly Fault[], nearest: ReadonlySet<string>): [test: string, faults: number[]][] {
  const numbered = faults.map(({ file }, index) => ({ part: partOf(file), id: index + 1 }));
  const parts = [...new Set(numbered.map(({ part }) => part))];
  const tests = parts
    .flatMap((part) =>
      globSync(`${part}/**/*.test.ts`, { cwd: repository, exclude: (name) => name === 'node_modules' }),
    )
    .map((test) => ({ test, source: readFileSync(join(repository, test), 'utf8') }))
    .filter(({ source }) => !/\bwithBrowser\b|\bstartBrowser\b/.test(source))
    .map(({ test, source }) => ({ test, cost: source.length + (nearest.has(test) ? 0 : 1e6) }));
  return tests
    .sort((a, b) => a.cost - b.cost)
    .map(({ test }) => [test, numbered.filter(({ part }) => part === partOf(test)).map(({ id }) => id)]);
}

/** Plants all faults behind switches. Returns the faults whose code a test ran, with whether the test failed. */
function runSwitched(faults: readonly Fault[], nearest: ReadonlySet<string>): Map<Fault, boolean> {
  const plan = planOf(faults, nearest);
  const files = new Set(faults.map(({ file }) => file));
  for (const file of files)
    plant(
      file,
      faults.filter((fault) => fault.file === file),
      (fault) => fault.switched(`globalThis.__fault?.(${faults.indexOf(fault) + 1})`),
    );
  const args = ['--config', 'bench/mutants/jest.config.js', '--runTestsByPath', ...plan.map(([test]) => test)];
  const env = { MUTANTS_PLAN: JSON.stringify(plan), MUTANTS_RESULTS: results, DATABASES: 'sqlite' };
  const options = { cwd: clone, env: { ...process.env, ...env }, stdio: 'inherit' } as const;
  spawnSync('npm', ['test', '--silent', '--', ...args], options);
  for (const file of files) plant(file, [], () => '');
  const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : [];
  const passed = new Map<Fault, boolean>();
  for (const line of lines) {
    const { fault: id, isNoticed }: Result = JSON.parse(line);
    const fault = faults[id - 1];
    if (fault) passed.set(fault, isNoticed || passed.get(fault) === true);
  }
  return passed;
}

function runAlone(fault: Fault, tests: readonly string[]): boolean {
  if (tests.length === 0) return false;
  plant(fault.file, [fault], ({ wrong }) => wrong);
  const status = jest(['--bail', '--maxWorkers=1', '--runTestsByPath', ...tests]);
  plant(fault.file, [], () => '');
  return status !== 0;
}

try {
  const faults = chooseFaults();
  const testsOf = new Map(faults.map((fault) => [fault, nearestTests(repository, fault.file)]));
  const passed = runSwitched(faults, new Set([...testsOf.values()].flat()));
  for (const fault of faults) {
    if (!passed.get(fault) && !values.quick && runAlone(fault, testsOf.get(fault) ?? [])) passed.set(fault, true);
    const outcome = { true: 'noticed', false: 'NOT NOTICED', undefined: 'NOT PASSED' }[`${passed.get(fault)}`];
    console.log(`${outcome} ${describe(fault)}`);
  }
  const noticed = faults.filter((fault) => passed.get(fault));
  console.log(`${noticed.length} of ${faults.length} faults were detected.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function describe({ file, line, start, end, wrong }: Fault): string {
  const short = (text: string): string => {
    const flat = text.replace(/\s+/g, ' ').trim();
    return flat.length > 60 ? `${flat.slice(0, 60)}…` : flat;
  };
  const original = readFileSync(join(repository, file)).subarray(start, end).toString();
  return `${file}:${line}: ${short(original)} → ${short(wrong)}`;
}
