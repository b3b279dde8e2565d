import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Generation } from '../../../core/kernel/generation.ts';
import type { ChangeListener, Changes } from '../../db/types.ts';
import type { LocatableRequest, PageLocator, PageQuestion, RenderedPage } from '../types.ts';

/** Changes of tables as a test makes them. */
export class StagedChanges implements Changes {
  healthy = true;
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Set<ChangeListener>();

  version(table: string): number {
    return this.#versions.get(table) ?? 0;
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  commit(...tables: string[]): void {
    for (const table of tables) this.#versions.set(table, this.version(table) + 1);
    for (const listener of this.#listeners) listener(new Set(tables), 'local');
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

export function question(about: Partial<PageQuestion> & { number?: number } = {}): PageQuestion {
  const { number = 1, ...more } = about;
  return {
    generation: { number } as Generation,
    origin: 'http://localhost:8069',
    path: '/shop',
    visitedPath: '/shop',
    lang: 'en_US',
    timezone: 'UTC',
    groups: new Set(['base.group_public']),
    attributes: '',
    query: '',
    undeclared: false,
    session: false,
    cookies: {},
    ...more,
  };
}

export function page(text: string, about: Partial<RenderedPage> = {}): RenderedPage {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    keep: true,
    parts: [text],
    holes: [],
    ...about,
  };
}

/** A locator that takes path and language (a cookie, else a header) for all there is to know. */
export function locator(
  about: { epoch?: () => object | null; located?: (request: LocatableRequest) => void } = {},
): PageLocator {
  const epoch = {};
  return {
    epoch: about.epoch ?? (() => epoch),
    locate(request) {
      about.located?.(request);
      if (request.query !== '') return null;
      const lang = request.cookies.website_lang ?? request.headers['accept-language'] ?? 'en_US';
      return question({ origin: request.origin, path: request.path, visitedPath: request.path, lang: String(lang) });
    },
  };
}

export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A request as node gives it, and what was answered to it. */
export function exchange(
  url: string,
  about: { method?: string; headers?: Record<string, string> } = {},
): { req: IncomingMessage; res: ServerResponse; sent: () => Sent } {
  const sent: Sent = { status: 0, headers: {}, body: Buffer.alloc(0) };
  const res = {
    writeHead(status: number, headers: readonly string[]) {
      sent.status = status;
      for (let at = 0; at < headers.length; at += 2)
        sent.headers[String(headers[at]).toLowerCase()] = String(headers[at + 1]);
    },
    end(body?: Buffer) {
      if (body) sent.body = body;
    },
  };
  const { headers = {} } = about;
  const req = { method: about.method ?? 'GET', url, headers, rawHeaders: Object.entries(headers).flat() };
  return { req: req as IncomingMessage, res: res as unknown as ServerResponse, sent: () => sent };
}

export const localhost = { name: 'localhost', origin: 'http://localhost:8069' };
