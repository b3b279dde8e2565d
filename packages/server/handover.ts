import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:net';
import type { Log } from '@pergola/core';

/**
 * Hands the listening socket of a process to its successor without refusing connections, since only a fresh process can load a newer
 * version of an addon:
 *
 * ```
 * root ── starts ──▶ fresh process            root: the process that was started by hand or by a service manager
 *  │  ◀── ready ──────┤   (has built the generation, does not listen yet)
 *  ├── socket ───────▶│
 *  │  ◀── listening ──┤   from here on new connections go to either
 *  └ drains, then only waits for it: passes signals on, ends as it ends
 * ```
 *
 * A successor that must be replaced asks the root for another process and sends the socket along; then it drains and exits. So there are at
 * most two processes, and only one until the first upgrade.
 */
export interface Handover {
  /** Whether this process was started to take over from another. */
  readonly takesOver: boolean;
  /** Makes the server listen: at its address, or on the inherited socket once this process is ready to serve. */
  listen(server: Server, address: { readonly host: string; readonly port: number }): Promise<void>;
  /** Reports to the process waiting for this one that it can't serve. */
  refuse(reason: string): Promise<void>;
  /**
   * Starts a fresh process and hands over the server's socket. Returns true once the fresh process listens: this one must drain, close its
   * server and exit with the code of {@link ended}. Returns false if the fresh process couldn't take over (the reason is logged): this one
   * continues.
   */
  begin(server: Server): Promise<boolean>;
  /** Call after draining: resolves with the exit code when this process may exit. The root waits for its successors. */
  ended(): Promise<number>;
}

export interface HandoverOptions {
  readonly log: Log;
  /** This process. */
  readonly self: NodeJS.Process;
  /** Called when this process must exit because the root has exited. */
  readonly onOrphaned: () => void;
  /** How long a fresh process may take until it listens, in ms. Default 60,000. */
  readonly timeoutMs?: number;
}

type Message =
  | { readonly pergola: 'ready' | 'listening' | 'socket' | 'successor' | 'taken-over' }
  | { readonly pergola: 'refused'; readonly reason: string };

/** Environment variable of a process that was started to take over. */
const VARIABLE = 'PERGOLA_TAKES_OVER';

export function createHandover(options: HandoverOptions): Handover {
  const { self } = options;
  return self.env[VARIABLE] && self.send ? asSuccessor(options) : asRoot(options);
}

function asRoot({ log, self, timeoutMs = 60_000 }: HandoverOptions): Handover {
  let serving: ChildProcess | null = null;
  const logFailure = failureLogger(log);
  const ended = Promise.withResolvers<number>();

  /** Starts a fresh process; resolves when it listens on the socket. */
  const replace = async (socket: unknown): Promise<void> => {
    const [file = '', ...args] = self.argv.slice(1);
    const child = fork(file, args, { env: { ...self.env, [VARIABLE]: '1' }, execArgv: self.execArgv });
    const fresh = messagesFrom(child, timeoutMs);
    try {
      await fresh.waitFor('ready');
      send(child, { pergola: 'socket' }, socket);
      await fresh.waitFor('listening');
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    const previous = serving;
    serving = child;
    child.on('message', (message, handle) => {
      if (isMessage(message) && message.pergola === 'successor') void startSuccessor(child, handle);
    });
    child.once('exit', (code, signal) => {
      if (serving === child) ended.resolve(code ?? (signal === 'SIGTERM' ? 0 : 1));
    });
    if (previous) send(previous, { pergola: 'taken-over' });
  };
  const startSuccessor = async (predecessor: ChildProcess, socket: unknown): Promise<void> => {
    try {
      await replace(socket);
    } catch (error) {
      send(predecessor, { pergola: 'refused', reason: textOf(error) });
    } finally {
      closeSocket(socket);
    }
  };

  return {
    takesOver: false,
    listen: (server, address) =>
      listening(server, (onListening) => server.listen(address.port, address.host, onListening)),
    async refuse() {},
    async begin(server) {
      try {
        await replace(socketOf(server));
      } catch (error) {
        logFailure(error);
        return false;
      }
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) self.on(signal, () => serving?.kill(signal));
      return true;
    },
    ended: () => (serving ? ended.promise : Promise.resolve(0)),
  };
}

function asSuccessor({ log, self, onOrphaned, timeoutMs = 60_000 }: HandoverOptions): Handover {
  const root = messagesFrom(self, timeoutMs);
  const logFailure = failureLogger(log);
  self.once('disconnect', onOrphaned);
  const sendToRoot = (message: Message, handle?: unknown): void => send(self, message, handle);
  return {
    takesOver: true,
    async listen(server) {
      const socketMessage = root.waitFor('socket');
      sendToRoot({ pergola: 'ready' });
      const { handle } = await socketMessage;
      await listening(server, (onListening) => server.listen(handle as object, onListening));
      sendToRoot({ pergola: 'listening' });
    },
    refuse: (reason) =>
      new Promise((resolve) => {
        self.send?.({ pergola: 'refused', reason } satisfies Message, undefined, undefined, () => resolve());
      }),
    async begin(server) {
      const answer = root.waitFor('taken-over');
      sendToRoot({ pergola: 'successor' }, socketOf(server));
      try {
        await answer;
        return true;
      } catch (error) {
        logFailure(error);
        return false;
      }
    },
    async ended() {
      self.removeListener('disconnect', onOrphaned);
      if (self.connected) self.disconnect();
      return 0;
    },
  };
}

/**
 * Returns a function that logs a failure once until its reason changes, since fresh processes are retried for as long as they are needed.
 */
function failureLogger(log: Log): (error: unknown) => void {
  let lastReason = '';
  return (error) => {
    const reason = textOf(error);
    if (reason !== lastReason) log.error({ err: error }, 'The fresh process could not take over; this one continues');
    lastReason = reason;
  };
}

interface Received {
  readonly handle: unknown;
}

/** Waits for messages of the other process; rejects if it refuses, exits or takes too long. */
function messagesFrom(
  peer: ChildProcess | NodeJS.Process,
  timeoutMs: number,
): { waitFor(type: Message['pergola']): Promise<Received> } {
  return {
    waitFor(type) {
      const { promise, resolve, reject } = Promise.withResolvers<Received>();
      const timer = setTimeout(
        () => reject(new Error(`it did not say "${type}" within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const onMessage = (message: unknown, handle: unknown): void => {
        if (!isMessage(message)) return;
        if (message.pergola === 'refused') reject(new Error('reason' in message ? message.reason : 'it refused'));
        if (message.pergola === type) resolve({ handle });
      };
      const onEnd = (): void => reject(new Error('it ended before it could take over'));
      peer.on('message', onMessage);
      peer.once('disconnect', onEnd);
      const end = (): void => {
        clearTimeout(timer);
        peer.removeListener('message', onMessage);
        peer.removeListener('disconnect', onEnd);
      };
      promise.then(end, end);
      return promise;
    },
  };
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'pergola' in value;
}

/**
 * Returns the handle inside a server. Sending a `net.Server` would make it listen in the other process immediately; its handle is sent as
 * it is. Node's cluster module shares sockets the same way.
 */
function socketOf(server: Server): unknown {
  const handle: unknown = Reflect.get(server, '_handle');
  if (handle === null || handle === undefined)
    throw new Error('The server does not listen, so there is no socket to hand over.');
  return handle;
}

function closeSocket(handle: unknown): void {
  if (typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function')
    handle.close();
}

function send(to: ChildProcess | NodeJS.Process, message: Message, handle?: unknown): void {
  // The types only know servers and sockets; see `socketOf`. A closed channel is reported by `disconnect`.
  to.send?.(message, handle as Server | undefined, undefined, () => {});
}

function listening(server: Server, listen: (onListening: () => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  listen(() => {
    server.removeListener('error', reject);
    resolve();
  });
  return promise;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
