import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { setHeaders } from './send.ts';

/** What is held back of a reply until its first bytes go out. */
const untilBegun = ['writeHead', 'write', 'flushHeaders'];

type End = Parameters<ServerResponse['end']>;

/**
 * The reply of a handler that was made for Express, held back at its end until a transaction is committed. What it writes before its end goes out at
 * once, and so do its headers; most handlers send all at the end.
 */
export class HeldReply {
  readonly #res: ServerResponse;
  readonly #headersOf: (type: string) => Readonly<Record<string, string>>;
  #end: End | null = null;
  #ended: () => void = () => {};

  /** `headersOf` says what headers go with a reply of a content type. */
  constructor(res: ServerResponse, headersOf: (type: string) => Readonly<Record<string, string>>) {
    this.#res = res;
    this.#headersOf = headersOf;
    res.setHeader('cache-control', 'private, no-cache');
    Object.assign(res, {
      writeHead: (status: number, ...about: unknown[]) => this.#writeHead(status, about),
      write: (...piece: unknown[]) => this.#begin().write(...(piece as Parameters<ServerResponse['write']>)),
      flushHeaders: () => this.#begin().flushHeaders(),
      end: (...rest: unknown[]) => {
        this.#end ??= rest as End;
        this.#ended();
        return res;
      },
    });
  }

  /** Calls `ended` when the handler has said all. */
  whenEnded(ended: () => void): void {
    this.#ended = ended;
    if (this.#end) ended();
  }

  /** Sends it as the handler made it. */
  send(): void {
    this.letGo();
    this.#begin().end(...(this.#end ?? ([] as unknown as End)));
  }

  /** Forgets what the handler wanted to send; the response is as it was. */
  letGo(): void {
    for (const name of [...untilBegun, 'end']) Reflect.deleteProperty(this.#res, name);
  }

  #begin(): ServerResponse {
    const res = this.#res;
    for (const name of untilBegun) Reflect.deleteProperty(res, name);
    if (!res.headersSent) setHeaders(res, this.#headersOf(String(res.getHeader('content-type') ?? '')));
    return res;
  }

  /** Status and headers are noted, and can still be changed. */
  #writeHead(status: number, about: readonly unknown[]): ServerResponse {
    const res = this.#res;
    res.statusCode = status;
    if (typeof about[0] === 'string') res.statusMessage = about[0];
    const headers = about.at(-1);
    if (Array.isArray(headers)) {
      for (let at = 0; at < headers.length; at += 2) res.setHeader(String(headers[at]), headers[at + 1]);
    } else if (typeof headers === 'object' && headers !== null) {
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined) res.setHeader(name, value as OutgoingHttpHeader);
    }
    return res;
  }
}
