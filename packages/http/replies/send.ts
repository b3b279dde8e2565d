import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isCompressible } from '@pergola/core';
import { Gone } from '../malformed.ts';
import { compress } from './compress.ts';
import { utf8 } from './text-bytes.ts';

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** A complete reply. */
export interface Ready {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: string | Uint8Array;
}

/** A streamed reply. */
export interface Flowing {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: Readable;
}

/** Limits on time and bytes discarded from a client that is still sending, before its connection is closed. */
const LINGER_MS = 1000;
const LINGER_BYTES = 2 * 1024 * 1024;
/** Drains remaining request bodies up to this size so the connection can be reused; slow clients are disconnected. */
const SMALL_REST = 64 * 1024;
const SMALL_REST_MS = 5000;

/** Sends a reply with its length; HEAD requests get only the headers. Does nothing if the visitor has left. */
export async function sendReady(req: IncomingMessage, res: ServerResponse, ready: Ready): Promise<void> {
  const plain = typeof ready.body === 'string' ? utf8(ready.body) : asBuffer(ready.body);
  const type = String(ready.headers['content-type'] ?? res.getHeader('content-type') ?? '');
  const may = isCompressible(type);
  const { bytes, encoding } = may ? await compress(plain, req.headers) : { bytes: plain, encoding: 'identity' };
  if (res.destroyed) return;
  setHeaders(res, ready.headers);
  if (may) addVary(res, 'Accept-Encoding');
  if (encoding !== 'identity') res.setHeader('content-encoding', encoding);
  const bodyless = ready.status === 204 || ready.status === 304;
  if (!bodyless) res.setHeader('content-length', bytes.byteLength);
  const bodyState = unreadRest(req, ready.status);
  if (bodyState === 'small') endLate(req);
  if (bodyState === 'large') res.setHeader('connection', 'close');
  res.writeHead(ready.status);
  if (bodyState === 'large' && !bodyless) endWhileSent(req, res, req.method === 'HEAD' ? Buffer.alloc(0) : bytes);
  else res.end(req.method === 'HEAD' || bodyless ? undefined : bytes);
}

/** Sends a stream; destroys it if the visitor leaves. */
export async function sendStream(req: IncomingMessage, res: ServerResponse, reply: Flowing): Promise<void> {
  if (res.destroyed) {
    reply.body.destroy();
    throw new Gone('The visitor left.');
  }
  setHeaders(res, reply.headers);
  res.writeHead(reply.status);
  if (req.method === 'HEAD') {
    reply.body.destroy();
    res.end();
    return;
  }
  try {
    await pipeline(reply.body, res);
  } catch (error) {
    // Headers are already sent, so the connection has to be destroyed: otherwise the client would take a truncated reply for a complete
    // one.
    res.destroy();
    throw hasLeft(error) ? new Gone('The visitor left.') : error;
  }
}

export function setHeaders(res: ServerResponse, headers: HeaderValues): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') addVary(res, String(value));
    else res.setHeader(name, value as string | string[]);
  }
}

function addVary(res: ServerResponse, names: string): void {
  const present = String(res.getHeader('vary') ?? '');
  const presentNames = present.toLowerCase().split(/\s*,\s*/);
  const more = names.split(/\s*,\s*/).filter((name) => !presentNames.includes(name.toLowerCase()));
  res.setHeader('vary', [present, ...more].filter(Boolean).join(', '));
}

/** Size of the unread request body: none, small enough for Node to discard, or larger. Doesn't wait for clients that were too slow. */
function unreadRest(req: IncomingMessage, status: number): 'none' | 'small' | 'large' {
  if (req.complete || req.readableEnded) return 'none';
  if (status === 408) return 'large';
  const length = req.headers['content-length'];
  if (length === undefined) return req.headers['transfer-encoding'] === undefined ? 'none' : 'large';
  return Number(length) <= SMALL_REST ? 'small' : 'large';
}

/** Closes the connection if the small rest of a request takes too long. */
function endLate(req: IncomingMessage): void {
  const timer = setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, SMALL_REST_MS).unref();
  req.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/**
 * Ends a reply while the request is still being sent. Closing at once would make the client's system discard our reply unread, so incoming
 * data is drained for a moment first.
 */
function endWhileSent(req: IncomingMessage, res: ServerResponse, bytes: Buffer): void {
  res.write(bytes);
  let remainingBytes = LINGER_BYTES;
  const timer = setTimeout(() => res.end(), LINGER_MS);
  const done = (): void => {
    clearTimeout(timer);
    res.end();
  };
  req.on('data', (piece: Buffer) => {
    remainingBytes -= piece.byteLength;
    if (remainingBytes <= 0) done();
  });
  req.on('end', done).on('close', done).on('error', done);
  req.resume();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether the connection was closed, as opposed to a failing source. */
function hasLeft(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(code);
}
