import { flushCompileCache } from 'node:module';

/** A test file with jest's settings. */
export interface WorkerTask {
  readonly path: string;
  readonly settings: {
    readonly globalConfig: object;
    readonly projectConfig: object;
    readonly runtime: 'child_process';
  };
}

interface LightRunner {
  setWorkerData(settings: WorkerTask['settings']): void;
  default(path: string): Promise<object>;
}

const runner: LightRunner = await import(new URL('./worker-runner.js', import.meta.resolve('jest-light-runner')).href);

/** Runs the tests of a file in this process; returns jest's result. */
export default async function run({ path, settings }: WorkerTask): Promise<object> {
  runner.setWorkerData(settings);
  try {
    return await runner.default(path);
  } finally {
    // The pool kills its processes, which would then never write their compile cache.
    flushCompileCache();
  }
}
