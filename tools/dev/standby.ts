import { type ChildProcess, spawn } from 'node:child_process';

/** Set for a process that loads the core and then waits to be called. */
const VARIABLE = 'PERGOLA_STANDBY';

/** How often a server says that it is not stuck, in ms. */
const ALIVE_MS = 500;

/** How long after a server began the next one is got ready, in ms: not while that one needs the machine itself. */
const DELAY_MS = 2_500;

/**
 * Starts servers for development. The next one is got ready while one serves: the core and its packages, most of what a start loads, are in it
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
    const child = isUsable ? waiting : this.#spawn({ PERGOLA_DEV: '1' });
    this.#timer = setTimeout(() => {
      this.#waiting = this.#spawn({ PERGOLA_DEV: '1', [VARIABLE]: '1' });
    }, DELAY_MS);
    child.once('exit', () => clearTimeout(this.#timer ?? undefined));
    return child;
  }

  /** Ends the one in waiting, whose code is not what is on disk, or that nobody will need. */
  drop(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#waiting?.kill('SIGKILL');
    this.#waiting = null;
  }

  #spawn(env: Readonly<Record<string, string>>): ChildProcess {
    return spawn(process.execPath, [...this.#args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    });
  }
}

/**
 * Waits, in a process in waiting, until it is called. Answers from when on what is saved is not what it has loaded, in ms (whoever calls has seen to
 * it that the core is as it was), or null when nobody will call any more. Any other process is called by being started.
 */
export async function called(): Promise<number | null> {
  if (!process.send || process.env.PERGOLA_DEV !== '1') return performance.timeOrigin;
  const isWaiting = process.env[VARIABLE] === '1';
  delete process.env[VARIABLE];
  const isCalled = !isWaiting || (await isCalledForth());
  if (!isCalled) return null;
  setInterval(() => process.connected && process.send?.('alive', undefined, undefined, () => {}), ALIVE_MS).unref();
  // Whoever started it is gone, and with it the terminal: nobody could end it, and its port would stay taken.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  return isWaiting ? Date.now() : performance.timeOrigin;
}

/** Whether somebody calls before there is nobody left to call. */
async function isCalledForth(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onMessage = (): void => resolve(true);
  const onEnd = (): void => resolve(false);
  process.once('message', onMessage).once('disconnect', onEnd);
  const isCalled = await promise;
  process.off('message', onMessage).off('disconnect', onEnd);
  return isCalled;
}
