import { request } from 'node:http';
import type { TestApp } from 'pergola/testing';

/** Response to a request with any Host header, which the test client can't send. */
export interface RawAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends a GET request with another Host header (without port). */
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
