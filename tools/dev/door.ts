import type { ChildProcess } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION } from './messages.ts';

/** How often a port that is taken is tried again, in ms. */
const PORT_TRY_MS = 500;

/** Holds the port while servers come and go: whoever connects while none is there waits for the next one. */
export class Door {
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => this.#hand(socket));
  #waiting: Socket[] = [];
  #child: ChildProcess | null = null;

  /**
   * Listens. Whoever develops may have the server before in another window still: a port that is taken is waited for.
   *
   * @param onTaken told once that it is
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

  /** From now on connections go to this server, those that wait first. */
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
