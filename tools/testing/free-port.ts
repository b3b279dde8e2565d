import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above the last port that browsers and `fetch` block (10080), and below the ephemeral ports, which other tests' connections use. */
const [FIRST, LAST] = [10_081, 32_000];

/** Returns a random free loopback port; concurrent callers are unlikely to get the same one. */
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
