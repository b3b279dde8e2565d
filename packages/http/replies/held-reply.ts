import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { setHeaders } from './send.ts';

/** Methods held back until the first bytes of a reply are sent. */
const heldMethods = ['writeHead', 'write', 'flushHeaders'];

type End = Parameters<ServerResponse['end']>;

/**
 * Reply of an Express handler whose end is held back until a transaction is committed. Anything written before the end is sent at once,
 * headers included; most handlers send everything at the end.
 */
export class HeldReply {
  readonly #res: ServerResponse;
  readonly #headersOf: (type: string) => Readonly<Record<string, string>>;
  #end: End | null = null;
  #ended: () => void = () => {};

  /** `headersOf` returns the headers for a content type. */
  constructor(res: ServerResponse, headersOf: (type: string) => Readonly<Record<string, string>>) {
    this.#res = res;
    this.#headersOf = headersOf;
    res.setHeader('cache-control', 'private, no-cache');
    Object.assign(res, {
      writeHead: (status: number, ...args: unknown[]) => this.#writeHead(status, args),
      write: (...piece: unknown[]) => this.#begin().write(...(piece as Parameters<ServerResponse['write']>)),
      flushHeaders: () => this.#begin().flushHeaders(),
      end: (...rest: unknown[]) => {
        this.#end ??= rest as End;
        this.#ended();
        return res;
      },
    });
  }

  /** Calls `ended` when the handler has ended the reply. */
  whenEnded(ended: () => void): void {
    this.#ended = ended;
    if (this.#end) ended();
  }

  /** Sends the reply as made by the handler. */
  send(): void {
    this.discard();
    this.#begin().end(...(this.#end ?? ([] as unknown as End)));
  }

  /** Discards the handler's reply and restores the response. */
  discard(): void {
    for (const name of [...heldMethods, 'end']) Reflect.deleteProperty(this.#res, name);
  }

  #begin(): ServerResponse {
    const res = this.#res;
    for (const name of heldMethods) Reflect.deleteProperty(res, name);
    if (!res.headersSent) setHeaders(res, this.#headersOf(String(res.getHeader('content-type') ?? '')));
    return res;
  }

  /** Records status and headers, which can still be changed. */
  #writeHead(status: number, args: readonly unknown[]): ServerResponse {
    const res = this.#res;
    res.statusCode = status;
    if (typeof args[0] === 'string') res.statusMessage = args[0];
    const headers = args.at(-1);
    if (Array.isArray(headers)) {
      for (let index = 0; index < headers.length; index += 2) res.setHeader(String(headers[index]), headers[index + 1]);
    } else if (typeof headers === 'object' && headers !== null) {
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined) res.setHeader(name, value as OutgoingHttpHeader);
    }
    return res;
  }
}
