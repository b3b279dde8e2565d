import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A network between a client and a PostgreSQL server that a test can cut or freeze. */
export interface TestNetwork {
  /** The server's address through this network. */
  readonly url: string;
  /** Ends all connections and refuses new ones, like a server that is stopped. */
  cut(): void;
  /** Takes new connections again. */
  restore(): void;
  /** Passes nothing on in either direction, and ends nothing, like a network that is gone. */
  freeze(): void;
  thaw(): void;
  /** Called with what clients send; answering true cuts that client's connection before the server sees it. */
  onSend: ((data: Buffer) => boolean) | null;
  readonly open: number;
  close(): Promise<void>;
}

export async function startNetwork(target: string): Promise<TestNetwork> {
  const address = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(address.port), address.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.on('data', (data) => {
      if (network.onSend?.(data)) client.destroy();
      else upstream.write(data);
    });
    upstream.on('data', (data) => client.write(data));
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof place === 'object' ? place?.port : '');
  const each = (work: (socket: Socket) => void) => {
    for (const pair of [...pairs]) pair.forEach(work);
  };
  const network: TestNetwork = {
    url: url.href,
    onSend: null,
    cut() {
      isCut = true;
      each((socket) => socket.destroy());
    },
    restore() {
      isCut = false;
    },
    freeze: () => each((socket) => socket.pause()),
    thaw: () => each((socket) => socket.resume()),
    get open() {
      return pairs.size;
    },
    async close() {
      each((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
  return network;
}
