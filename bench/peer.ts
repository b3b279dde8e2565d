import { type ChildProcess, fork } from 'node:child_process';
import { createServer, get } from 'node:http';
import { fileURLToPath } from 'node:url';

/** A response as sent over the wire, without the headers that Node adds to every response. */
export interface Answer {
  readonly status: number;
  /** names and values, in order */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** A bare `node:http` server in its own process as a baseline: it only sends. */
export interface Peer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Fetches a URL once and keeps the bytes as they were sent. */
export function capture(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
        const pageHeaders = pairs.filter(([name]) => !/^(date|connection|keep-alive|transfer-encoding)$/i.test(name));
        resolve({ status: response.statusCode ?? 0, headers: pageHeaders, body: Buffer.concat(chunks) });
      });
    }).once('error', reject);
  });
}

/** Starts a peer that returns this response to every request. */
export async function startPeer({ status, headers, body }: Answer): Promise<Peer> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { env: { ...process.env, NODE_OPTIONS: '' } });
  child.send({ status, headers, body: body.toString('base64') });
  const port = await firstMessage(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

function firstMessage(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the bare server exited with ${code}`)));
    child.once('message', (port) => resolve(Number(port)));
  });
}

function serve({ status, headers, body }: { status: number; headers: [string, string][]; body: string }): void {
  const bytes = Buffer.from(body, 'base64');
  const lines = headers.flat();
  if (!headers.some(([name]) => name.toLowerCase() === 'content-length'))
    lines.push('Content-Length', String(bytes.length));
  const server = createServer((_request, response) => response.writeHead(status, lines).end(bytes));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address ? address.port : 0);
  });
}

if (process.argv[2] === 'serve' && process.send) {
  process.once('message', serve);
  // the benchmark has ended
  process.once('disconnect', () => process.exit());
}
