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
 * Finds cached pages for raw requests of visitors without a session, without parsing repeated requests.
 *
 * The meaning of a request (website, language, …) is derived by pure functions from host, address, and some headers and cookies. The first
 * lookup records which of those are read; a later request with the same values has the same meaning, as long as the locator's epoch lasts.
 */
export class FastPath {
  readonly #fresh: (key: string, undeclared: boolean) => KeptPage | null;
  readonly #mayServe: (wrote: string) => boolean;
  readonly #memory = new VaryIndex();
  #epoch: object | null = null;

  /**
   * @param fresh returns the page under a key if it is fresh and can serve requests with undeclared query values, if there are any
   * @param mayServe whether cached pages are recent enough for a visitor whose write cookie has this value
   */
  constructor(fresh: (key: string, undeclared: boolean) => KeptPage | null, mayServe: (wrote: string) => boolean) {
    this.#fresh = fresh;
    this.#mayServe = mayServe;
  }

  /** Cached page for this request, or null if it needs the full path. */
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

  /** The page under a key if it has no holes left to fill. */
  #whole(key: string, undeclared: boolean): KeptPage | null {
    const page = this.#fresh(key, undeclared);
    return page === null || page.holes.length > 0 ? null : page;
  }

  /** Cookies of a visitor without a session, or null for all other visitors. */
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
    // Addresses with undeclared values are unlimited in number, and only the page knows whether it depends on them.
    const varyOn = page && !question.undeclared && recorder.varyOn();
    if (varyOn) this.#memory.remember(host.origin, url, { headers: req.headers, cookies }, varyOn, key);
    return page;
  }
}
