import type { IncomingMessage } from 'node:http';
import type { Cookies, Host } from '@pergola/core';
import { parseCookie } from 'cookie';
import type { KeptPage } from './kept-page.ts';
import { pageKey } from './page-key.ts';
import { ReadRecorder } from './read-recorder.ts';
import type { PageLocator } from './types.ts';
import { VaryIndex } from './vary-index.ts';

const noCookies: Cookies = Object.freeze({});
const slash = 47;

/**
 * Finds kept pages for raw requests of visitors without a session, without parsing them twice.
 *
 * What a request means (website, language, …) is worked out by pure functions of host, address, and some headers and cookies. The first time,
 * it is noted which of those were read; a later request with the same ones means the same, for as long as the locator's epoch lasts.
 */
export class FastPath {
  readonly #fresh: (key: string, undeclared: boolean) => KeptPage | null;
  readonly #mayServe: (wrote: string) => boolean;
  readonly #memory = new VaryIndex();
  #epoch: object | null = null;

  /**
   * @param fresh the page under a key if it is fresh and answers requests with undeclared query values, if there are any
   * @param mayServe whether kept pages are good enough for a visitor with this mark of an own write
   */
  constructor(fresh: (key: string, undeclared: boolean) => KeptPage | null, mayServe: (wrote: string) => boolean) {
    this.#fresh = fresh;
    this.#mayServe = mayServe;
  }

  /** The kept page that answers this request; null when it has to go the long way. */
  find(req: IncomingMessage, host: Host, locator: PageLocator): KeptPage | null {
    const { method, url = '', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || url.charCodeAt(0) !== slash) return null;
    if (headers.authorization !== undefined || headers['content-length'] !== undefined) return null;
    if (headers['transfer-encoding'] !== undefined) return null;
    const cookies = headers.cookie === undefined ? noCookies : this.#publicCookies(headers.cookie);
    if (cookies === null) return null;
    const epoch = locator.epoch();
    if (epoch === null) return null;
    if (epoch !== this.#epoch) {
      this.#memory.forget();
      this.#epoch = epoch;
    }
    const key = this.#memory.recall(host.origin, url, headers, cookies);
    return key === undefined ? this.#locate(req, url, host, cookies, locator) : this.#whole(key, false);
  }

  /** A page that needs no filling in. */
  #whole(key: string, undeclared: boolean): KeptPage | null {
    const page = this.#fresh(key, undeclared);
    return page === null || page.holes.length > 0 ? null : page;
  }

  /** The cookies of a visitor who has no session; null for everybody else. */
  #publicCookies(header: string): Cookies | null {
    if (header.includes('session_id=')) return null;
    const cookies = parseCookie(header);
    const wrote = cookies.pergola_wrote;
    return wrote === undefined || this.#mayServe(wrote) ? cookies : null;
  }

  #locate(req: IncomingMessage, url: string, host: Host, cookies: Cookies, locator: PageLocator): KeptPage | null {
    const recorder = new ReadRecorder(req.headers, cookies);
    const mark = url.indexOf('?');
    const question = locator.locate({
      host: host.name,
      origin: host.origin,
      path: mark === -1 ? url : url.slice(0, mark),
      query: mark === -1 ? '' : url.slice(mark),
      headers: recorder.headers,
      cookies: recorder.cookies,
      attributes: {},
    });
    if (question === null || question.session) return null;
    const key = pageKey(question);
    const page = this.#whole(key, question.undeclared);
    // There is no end of addresses with undeclared values, and only the page tells whether it answers them.
    const varyOn = page && !question.undeclared && recorder.varyOn();
    if (varyOn) this.#memory.remember(host.origin, url, { headers: req.headers, cookies }, varyOn, key);
    return page;
  }
}
