import { request } from 'node:http';
import type { TestApp } from 'pergola/testing';

/** An answer to a request that a client of a test cannot make: with any Host line. */
export interface RawAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A GET as if the site had been asked for under another host name (without port). */
export function getFrom(
  app: TestApp,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, headers: { Host: `${host}:${port}`, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            location: answer.headers.location ?? null,
            text: Buffer.concat(chunks).toString(),
            headers: answer.headers,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
