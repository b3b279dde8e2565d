import { connect, createServer } from 'node:net';
import type { TestServer } from './server.ts';
import type { KeptServer } from './start.ts';

/** Port where the processes of one test run request their shared PostgreSQL server. */
export interface Door {
  readonly port: number;
  /** Stops the server, if it was ever requested. */
  close(): Promise<void>;
}

/** Opens the port on loopback; the first request calls `start`. Doesn't keep this process alive. */
export async function openDoor(start: () => Promise<KeptServer>): Promise<Door> {
  let started: Promise<KeptServer> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    started ??= start();
    started.then(
      ({ url, template, prefix }) => socket.end(JSON.stringify({ url, template, prefix })),
      (error: unknown) => socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) })),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async close() {
      server.close();
      await started?.then((keptServer) => keptServer.stop()).catch(() => {});
    },
  };
}

/**
 * Requests the server.
 *
 * @throws Error with the reason if it couldn't be started
 */
export function knock(port: number): Promise<TestServer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.once('end', () => {
      const reply: TestServer | { error: string } = JSON.parse(text);
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply);
    });
  });
}
