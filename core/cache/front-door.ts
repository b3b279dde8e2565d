import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import type { Cookies, Host, PageLocator } from '../http/kernel-face.ts';
import type { CachedPage } from './kept-page.ts';
import { pageKey } from './page-key.ts';
import { type RawRequest, rawHeader, readRaw } from './raw-request.ts';
import { ReadRecorder } from './read-recorder.ts';

const noCookies: Cookies = Object.freeze({});
/** Addresses remembered; each at most so long, with so many variants. */
const addressesKept = 4_096;
const longestAddress = 1_000;
const variantsKept = 8;

interface Variant {
  /** Headers and cookies that decided, with the values they had. */
  readonly headers: readonly (readonly [name: string, value: string | undefined])[];
  readonly cookies: readonly (readonly [name: string, value: string | undefined])[];
  readonly key: string;
}

/** A kept page, and what the request said about how it is to be sent. */
export interface Found {
  readonly page: CachedPage;
  readonly raw: RawRequest;
}

export interface FrontDoorOptions {
  /** The page under a key if it is fresh. */
  fresh(key: string): CachedPage | null;
  /** Whether kept pages are good enough for a visitor with this mark of an own write. */
  mayServe(wrote: string): boolean;
}

/**
 * Finds kept pages for raw requests of visitors without a session, without parsing them twice.
 *
 * What a request means (website, language, …) is worked out by pure functions of host, address, and some headers and cookies. The first time,
 * it is noted which of those were read; a later request with the same ones means the same, for as long as the locator's epoch lasts.
 */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  /** By origin, then by address. */
  readonly #known = new Map<string, Map<string, Variant[]>>();
  #addresses = 0;
  #epoch: object | null = null;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  /** The kept page that answers this request; null when it has to go the long way. */
  find(req: IncomingMessage, host: Host, locator: PageLocator): Found | null {
    const { method, url = '' } = req;
    if ((method !== 'GET' && method !== 'HEAD') || url.charCodeAt(0) !== slash) return null;
    const raw = readRaw(req.rawHeaders);
    if (raw === null) return null;
    const cookies = raw.cookie === undefined ? noCookies : this.#publicCookies(raw.cookie);
    if (cookies === null) return null;
    const epoch = locator.epoch();
    if (epoch === null) return null;
    if (epoch !== this.#epoch) this.#forget(epoch);
    const variant = this.#recall(host.origin, url, req.rawHeaders, cookies);
    const page = variant ? this.#whole(variant.key) : this.#locate(req, url, host, cookies, locator);
    return page && { page, raw };
  }

  /** A page that needs no filling in. */
  #whole(key: string): CachedPage | null {
    const page = this.#options.fresh(key);
    return page === null || page.holes.length > 0 ? null : page;
  }

  /** The cookies of a visitor who has no session; null for everybody else. */
  #publicCookies(header: string): Cookies | null {
    if (header.includes('session_id=')) return null;
    const cookies = parseCookie(header);
    const wrote = cookies.pergola_wrote;
    return wrote === undefined || this.#options.mayServe(wrote) ? cookies : null;
  }

  #recall(origin: string, url: string, rawHeaders: readonly string[], cookies: Cookies): Variant | undefined {
    return this.#known
      .get(origin)
      ?.get(url)
      ?.find(
        (variant) =>
          variant.headers.every(([name, value]) => rawHeader(rawHeaders, name) === value) &&
          variant.cookies.every(([name, value]) => cookies[name] === value),
      );
  }

  #locate(req: IncomingMessage, url: string, host: Host, cookies: Cookies, locator: PageLocator): CachedPage | null {
    const recorder = new ReadRecorder(req.headers, cookies);
    const mark = url.indexOf('?');
    const question = locator.locate({
      host: host.name,
      origin: host.origin,
      path: mark === -1 ? url : url.slice(0, mark),
      query: mark === -1 ? '' : url.slice(mark),
      headers: recorder.headers,
      cookies: recorder.cookies,
      facts: {},
    });
    if (question === null || question.session) return null;
    const key = pageKey(question);
    const page = this.#whole(key);
    if (page === null) return null;
    const reads = recorder.reads();
    if (reads && url.length <= longestAddress) this.#remember(host.origin, url, { ...reads, key });
    return page;
  }

  #remember(origin: string, url: string, variant: Variant): void {
    if (this.#addresses >= addressesKept) this.#forget(this.#epoch);
    let addresses = this.#known.get(origin);
    if (!addresses) {
      addresses = new Map();
      this.#known.set(origin, addresses);
    }
    const variants = addresses.get(url);
    if (!variants) {
      addresses.set(url, [variant]);
      this.#addresses += 1;
    } else {
      if (variants.length >= variantsKept) variants.shift();
      variants.push(variant);
    }
  }

  #forget(epoch: object | null): void {
    this.#known.clear();
    this.#addresses = 0;
    this.#epoch = epoch;
  }
}

const slash = 47;
