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
  const open = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(Number(server.port), server.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (data) => sendUp(data, far));
    far.on('data', (data) => sendDown(data, near));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    close() {
      listener.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Sends packets of all sockets in turns at this rate, each after the delay. */
function lane(bytesPerSecond: number, delay: number): (data: Buffer, to: Socket) => void {
  const waiting = new Map<Socket, Buffer>();
  let free = 0;
  let isRunning = false;
  const send = (): void => {
    const now = performance.now();
    free = Math.max(free, now - 5);
    while (free <= now) {
      const [next] = waiting;
      if (!next) break;
      const [to, data] = next;
      const packet = data.subarray(0, PACKET);
      waiting.delete(to);
      if (data.length > PACKET) waiting.set(to, data.subarray(PACKET));
      free += (packet.length / bytesPerSecond) * 1000;
      setTimeout(() => to.destroyed || to.write(packet), delay);
    }
    isRunning = waiting.size > 0;
    if (isRunning) setTimeout(send, Math.max(1, free - now));
  };
  return (data, to) => {
    const before = waiting.get(to);
    waiting.set(to, before ? Buffer.concat([before, data]) : data);
    if (!isRunning) send();
  };
}
