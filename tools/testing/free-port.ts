import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above the last one that browsers and `fetch` refuse (10080), below those that systems give to connections, which come and go while others test. */
const [FIRST, LAST] = [10_081, 32_000];

/** A loopback port on which nobody listens now, chosen by chance: whoever asks at the same time is given another. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
