import { request as sendRequest } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { HttpServer } from '@pergola/http';

/** A response, read completely. */
export interface PageReply {
  readonly status: number;
  readonly location: string | null;
  readonly type: string;
  readonly setCookies: readonly string[];
  readonly body: string;
}

/**
 * Sends a GET request to a server that doesn't listen: through a pair of streams, so that nothing is open to others. One
 * request at a time; everything it logs is logged when this resolves.
 */
export async function requestPage(
  { server }: Pick<HttpServer, 'server'>,
  { path, headers }: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
): Promise<PageReply> {
  const [clientSide, serverSide] = duplexPair();
  const { promise, resolve, reject } = Promise.withResolvers<PageReply>();
  const request = sendRequest({ path, headers, createConnection: () => asSocket(clientSide) }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location ?? null,
        type: response.headers['content-type'] ?? '',
        setCookies: response.headers['set-cookie'] ?? [],
        body: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  request.once('error', reject);
  const logged = Promise.withResolvers<void>();
  server.once('request', (_request, reply) => reply.once('close', () => setImmediate(logged.resolve)));
  server.emit('connection', asSocket(serverSide));
  request.end();
  try {
    const reply = await promise;
    clientSide.destroy();
    serverSide.destroy();
    // The server logs a request once its reply is closed.
    await logged.promise;
    return reply;
  } finally {
    clientSide.destroy();
    serverSide.destroy();
  }
}

/** A stream with what servers and clients expect of a socket. */
function asSocket(stream: Duplex): never {
  const members = { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4', remotePort: 1 };
  const methods = { setTimeout: () => stream, setNoDelay: () => stream, setKeepAlive: () => stream };
  return Object.assign(stream, members, methods) as never;
}
