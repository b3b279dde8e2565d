import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Semaphore } from '@pergola/db';
import type { Order, Outcome } from './worker.ts';

interface Test {
  readonly path: string;
  readonly context: { readonly config: { readonly rootDir: string } };
}

/** A line of the `MUTANTS_RESULTS` file: a test file ran the code of a fault. */
export interface Result {
  readonly fault: number;
  readonly test: string;
  readonly isNoticed: boolean;
}

/** A run with a fault that takes longer than this multiple of a normal run, plus `EXTRA_MS`, counts as hanging. */
const PATIENCE = 4;
const EXTRA_MS = 30_000;

const nameOf = ({ path, context }: Test): string => relative(context.config.rootDir, path);

/** Jest runner that runs each file without faults, then once for each fault whose code it executes, in one process. */
export default class MutantsRunner {
  readonly #globalConfig: { readonly maxWorkers: number };
  readonly #noticed = new Set<number>();

  constructor(globalConfig: { readonly maxWorkers: number }) {
    this.#globalConfig = globalConfig;
  }

  async runTests(
    tests: readonly Test[],
    _watcher: object,
    onStart: (test: Test) => Promise<void>,
    _onResult: (test: Test, result: object) => Promise<void>,
    onFailure: (test: Test, error: unknown) => Promise<void>,
  ): Promise<void> {
    const turn = new Semaphore(this.#globalConfig.maxWorkers);
    const plan = new Map<string, number[]>(JSON.parse(process.env.MUTANTS_PLAN ?? '[]'));
    const names = [...plan.keys()];
    const inTurn = [...tests].sort((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)));
    await Promise.all(
      inTurn.map((test) =>
        turn.run(async () => {
          await onStart(test);
          const planned = plan.get(nameOf(test)) ?? [];
          const faults = planned.filter((fault) => !this.#noticed.has(fault));
          if (faults.length > 0) await this.#runTest(test, faults).catch((error: unknown) => onFailure(test, error));
        }),
      ),
    );
  }

  async #runTest(test: Test, faults: readonly number[]): Promise<void> {
    let worker = new Worker(test, this.#globalConfig);
    const name = nameOf(test);
    const note = (fault: number, isNoticed = true): void => {
      if (isNoticed) this.#noticed.add(fault);
      const result: Result = { fault, test: name, isNoticed };
      appendFileSync(process.env.MUTANTS_RESULTS ?? '', `${JSON.stringify(result)}\n`);
    };
    try {
      const started = performance.now();
      const right = await worker.run(0, Number.POSITIVE_INFINITY);
      if (right.failed) throw new Error(`${test.path} fails without a fault.`);
      const limitMs = (performance.now() - started) * PATIENCE + EXTRA_MS;
      const fresh = faults.filter((fault) => right.loaded.includes(fault));
      const suspects: number[] = [];
      for (const fault of faults.filter((id) => right.passed.includes(id) && !fresh.includes(id))) {
        if (this.#noticed.has(fault)) continue;
        const outcome = await worker.run(fault, limitMs);
        if (outcome === 'hung') {
          note(fault);
          worker = new Worker(test, this.#globalConfig);
        } else if (outcome.failed) suspects.push(fault);
        else if (outcome.passed.includes(fault)) note(fault, false);
        else fresh.push(fault);
      }
      // A fault may leave state behind that makes later runs fail.
      const isSound = suspects.length === 0 || isRight(await worker.run(0, limitMs));
      if (isSound) for (const fault of suspects) note(fault);
      for (const fault of isSound ? fresh : [...fresh, ...suspects]) {
        if (this.#noticed.has(fault)) continue;
        const freshWorker = new Worker(test, this.#globalConfig, fault);
        note(fault, !isRight(await freshWorker.run(fault, limitMs)));
        freshWorker.end();
      }
      console.log(`${name}: ${faults.filter((id) => this.#noticed.has(id)).length} of ${faults.length} faults noticed`);
    } finally {
      worker.end();
    }
  }
}

const isRight = (outcome: Outcome | 'hung'): boolean => outcome !== 'hung' && !outcome.failed;

/** A process that runs one test file as often as requested. */
class Worker {
  readonly #child: ChildProcess;
  readonly #test: Test;
  readonly #settings: object;
  readonly #exit: Promise<'hung'>;

  constructor(test: Test, globalConfig: object, fault = 0) {
    this.#test = test;
    this.#settings = { globalConfig, projectConfig: test.context.config, runtime: 'child_process' };
    this.#child = fork(new URL('./worker.ts', import.meta.url), { env: { ...process.env, FAULT: String(fault) } });
    this.#exit = once(this.#child, 'exit').then(() => 'hung' as const);
  }

  async run(fault: number, limitMs: number): Promise<Outcome | 'hung'>;
  async run(fault: 0, limitMs: number): Promise<Outcome>;
  async run(fault: number, limitMs: number): Promise<Outcome | 'hung'> {
    const order: Order = { path: this.#test.path, settings: this.#settings, fault };
    const outcomeOrHang = once(this.#child, 'message').then(([outcome]: Outcome[]) => outcome ?? ('hung' as const));
    this.#child.send(order);
    const { promise: timeout, resolve } = Promise.withResolvers<'hung'>();
    const timer = Number.isFinite(limitMs) ? setTimeout(resolve, limitMs, 'hung') : undefined;
    try {
      const outcome = await Promise.race([outcomeOrHang, this.#exit, timeout]);
      if (outcome === 'hung') this.end();
      return outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}
