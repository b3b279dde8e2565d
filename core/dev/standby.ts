import { type ChildProcess, spawn } from 'node:child_process';

/** Set for a process that loads the kernel and then waits to be called. */
const VARIABLE = 'PERGOLA_STANDBY';

/** How long after a server began the next one is got ready, in ms: not while that one needs the machine itself. */
const DELAY_MS = 2_500;

/**
 * Starts servers for development. The next one is got ready while one serves: the kernel and its packages, most of what a start loads, are in it
 * when an addon's code is saved.
 */
export class Standby {
  readonly #args: readonly string[];
  #waiting: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `args` are what `node` is started with. */
  constructor(args: readonly string[]) {
    this.#args = args;
  }

  /** A server that begins now. */
  start(): ChildProcess {
    const waiting = this.#waiting;
    this.#waiting = null;
    const isUsable = waiting !== null && waiting.exitCode === null && waiting.connected;
    if (isUsable) waiting.send('go', () => {});
    const child = isUsable ? waiting : this.#spawn({ PERGOLA_DEV: '1' }, 'ignore');
    this.#timer = setTimeout(() => {
      this.#waiting = this.#spawn({ PERGOLA_DEV: '1', [VARIABLE]: '1' }, 'ipc');
    }, DELAY_MS);
    child.once('exit', () => clearTimeout(this.#timer ?? undefined));
    return child;
  }

  /** Ends the one in waiting, whose kernel is not what is on disk, or that nobody will need. */
  drop(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#waiting?.kill('SIGKILL');
    this.#waiting = null;
  }

  #spawn(env: Readonly<Record<string, string>>, channel: 'ipc' | 'ignore'): ChildProcess {
    return spawn(process.execPath, [...this.#args], {
      stdio: ['inherit', 'inherit', 'inherit', channel],
      env: { ...process.env, ...env },
    });
  }
}

/**
 * Waits, in a process in waiting, until it is called. Answers from when on what is saved is not what it has loaded, in ms (whoever calls has seen to
 * it that the kernel is as it was), or null when nobody will call any more. Any other process is called by being started.
 */
export async function called(): Promise<number | null> {
  if (process.env[VARIABLE] !== '1' || !process.send) return performance.timeOrigin;
  delete process.env[VARIABLE];
  const isCalled = await new Promise<boolean>((resolve) => {
    process.once('message', () => resolve(true));
    process.once('disconnect', () => resolve(false));
  });
  if (process.connected) process.disconnect();
  return isCalled ? Date.now() : null;
}
