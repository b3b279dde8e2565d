import type { ChildProcess } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION } from './messages.ts';

/** Interval between attempts to open a port that is in use, in ms. */
const PORT_TRY_MS = 500;

/** Keeps the port open while servers are replaced: connections wait for the next server. */
export class Door {
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => this.#hand(socket));
  #waiting: Socket[] = [];
  #child: ChildProcess | null = null;

  /**
   * Starts listening. If the port is in use, for example by a previous server in another window, waits until it is free.
   *
   * @param onTaken called once if the port is in use
   */
  async open(host: string, port: number, onTaken: () => void, signal: AbortSignal): Promise<void> {
    const { address } = await lookup(host);
    for (let tries = 0; !signal.aborted; tries++) {
      const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>();
      this.#server.once('error', resolve).listen(port, address, () => resolve(null));
      const error = await promise;
      this.#server.off('error', resolve);
      if (!error) return;
      if (error.code !== 'EADDRINUSE') throw error;
      if (tries === 0) onTaken();
      await sleep(PORT_TRY_MS);
    }
  }

  /** Sends connections to this server from now on, starting with the waiting ones. */
  leadTo(child: ChildProcess): void {
    this.#child = child;
    for (const socket of this.#waiting.splice(0)) this.#hand(socket);
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#waiting) socket.destroy();
  }

  #hand(socket: Socket): void {
    if (this.#child?.connected) this.#child.send(CONNECTION, socket, {}, () => {});
    else {
      this.#waiting.push(socket);
      socket.once('error', () => socket.destroy());
    }
  }
}
