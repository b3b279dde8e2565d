import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A slowed connection between a browser and a server. */
export interface SlowLine {
  /** URL of the server through this connection */
  readonly url: string;
  close(): void;
}

const PACKET = 1460;

/**
 * A connection like a phone's: each direction takes half the latency, and all sockets share the bandwidth, packet by packet. The browser's
 * own throttling only slows the inspected page; this slows all traffic, including prerendered pages.
 */
export async function slowLine(
  server: URL,
  { latency, down, up }: { readonly latency: number; readonly down: number; readonly up: number },
): Promise<SlowLine> {
  const sendDown = lane(down, latency / 2);
  const sendUp = lane(up, latency / 2);
  const openSockets = new Set<Socket>();
  const listener = createServer((browserSocket) => {
    const far = connect(Number(server.port), server.hostname);
    for (const socket of [browserSocket, far]) {
      openSockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        openSockets.delete(socket);
        browserSocket.destroy();
        far.destroy();
      });
    }
    browserSocket.on('data', (data) => sendUp(data, far));
    far.on('data', (data) => sendDown(data, browserSocket));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    close() {
      listener.close();
      for (const socket of openSockets) socket.destroy();
    },
  };
}

/** Sends packets of all sockets in turns at this rate, each after the delay. */
function lane(bytesPerSecond: number, delay: number): (data: Buffer, to: Socket) => void {
  const queues = new Map<Socket, Buffer>();
  let free = 0;
  let isRunning = false;
  const send = (): void => {
    const now = performance.now();
    free = Math.max(free, now - 5);
    while (free <= now) {
      const [next] = queues;
      if (!next) break;
      const [to, data] = next;
      const packet = data.subarray(0, PACKET);
      queues.delete(to);
      if (data.length > PACKET) queues.set(to, data.subarray(PACKET));
      free += (packet.length / bytesPerSecond) * 1000;
      setTimeout(() => to.destroyed || to.write(packet), delay);
    }
    isRunning = queues.size > 0;
    if (isRunning) setTimeout(send, Math.max(1, free - now));
  };
  return (data, to) => {
    const queued = queues.get(to);
    queues.set(to, queued ? Buffer.concat([queued, data]) : data);
    if (!isRunning) send();
  };
}
