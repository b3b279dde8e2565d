import { Semaphore } from '@pergola/db';
import Tinypool from 'tinypool';
import type { WorkerTask } from './worker.ts';

/** Fewer, larger garbage collections, without helper threads, which would only compete with the other test processes. */
const COLLECTOR = ['--single-threaded-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
/** Modules of finished test files stay in memory; above this many bytes a new process takes over. */
const MOST_MEMORY = 2 ** 30;

interface Test {
  readonly path: string;
  readonly context: { readonly config: object };
}

/**
 * Jest runner for tests whose modules are loaded by Node: jest-light-runner with our own process pool. That package's pool can lose a
 * process on a busy machine, because two that start at once answer each other's request for settings.
 */
export default class NodeRunner {
  readonly #globalConfig: { readonly maxWorkers: number };

  constructor(globalConfig: { readonly maxWorkers: number }) {
    this.#globalConfig = globalConfig;
  }

  async runTests(
    tests: readonly Test[],
    watcher: { isInterrupted(): boolean },
    onStart: (test: Test) => Promise<void>,
    onResult: (test: Test, result: object) => Promise<void>,
    onFailure: (test: Test, error: unknown) => Promise<void>,
  ): Promise<void> {
    const globalConfig = this.#globalConfig;
    const processes = Math.min(globalConfig.maxWorkers, tests.length);
    const pool = new Tinypool({
      filename: new URL('./worker.ts', import.meta.url).href,
      runtime: 'child_process',
      execArgv: [...process.execArgv, ...COLLECTOR],
      env: process.env as Record<string, string>,
      minThreads: processes,
      maxThreads: processes,
      maxMemoryLimitBeforeRecycle: MOST_MEMORY,
    });
    const turn = new Semaphore(processes);
    const runOne = async (test: Test): Promise<void> => {
      if (watcher.isInterrupted()) return;
      await onStart(test);
      const settings = { globalConfig, projectConfig: test.context.config, runtime: 'child_process' } as const;
      try {
        await onResult(test, await pool.run({ path: test.path, settings } satisfies WorkerTask));
      } catch (error) {
        await onFailure(test, error);
      }
    };
    try {
      await Promise.all(tests.map((test) => turn.run(() => runOne(test))));
    } finally {
      await pool.destroy();
    }
  }
}
