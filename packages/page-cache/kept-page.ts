import { createHash } from 'node:crypto';
import { compressed, type Encoding } from '@pergola/core';
import type { Hole, RenderedPage } from './types.ts';

/** A complete reply: header names and values in one list, as `writeHead` expects them, and the body. */
export interface ReadyReply {
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

/** A smaller page fits into one packet anyway. */
const worthCompressing = 1_000;
/** Memory per entry in addition to its bytes: objects, maps, key. */
const overhead = 1_500;

/** A page in the cache: its bytes, its compressed versions, made on demand, and the headers of each. */
export class KeptPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts of the page. The holes between them are filled for each visitor; a page without holes has one part. */
  readonly parts: readonly Buffer[];
  readonly holes: readonly Hole[];
  /** Weak validator of a page without holes, shared by its compressed versions; null with holes. */
  readonly etag: string | null;
  /** Versions of the tables the page was made from. */
  readonly versions: ReadonlyMap<string, number>;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Whether it depends on query values that its route doesn't declare. */
  readonly readsAddress: boolean;
  /** Change count of the cache when the page was last found fresh. */
  checkedAt = -1;
  readonly #replies = new Map<Encoding, ReadyReply>();
  readonly #compressing = new Map<Encoding, Promise<ReadyReply>>();
  readonly #grown: () => void;
  #compressedBytes = 0;
  #notModified: readonly string[] | null = null;

  /** `onGrown` is called when a compressed version has increased the page's size. */
  constructor(
    page: RenderedPage,
    options: Pick<KeptPage, 'versions' | 'expires' | 'readsAddress'> & { readonly session: boolean },
    onGrown: () => void,
  ) {
    this.status = page.status;
    this.headers = {
      ...withoutReserved(page.headers),
      // Browsers revalidate every time and shared caches store nothing; content filled in for a session is stored nowhere.
      'Cache-Control': options.session ? 'private, no-store' : 'private, no-cache',
      Vary: 'Accept-Encoding, Cookie',
    };
    this.parts = page.parts.map((part) => Buffer.from(part));
    this.holes = page.holes;
    this.versions = options.versions;
    this.expires = options.expires;
    this.readsAddress = options.readsAddress;
    this.#grown = onGrown;
    this.etag = page.holes.length > 0 ? null : validator(this.headers, this.parts);
  }

  /** Size in the cache, in bytes. */
  get size(): number {
    return this.parts.reduce((sum, part) => sum + part.byteLength, overhead + this.#compressedBytes);
  }

  /**
   * Reply in an encoding, or a promise while it is being compressed. The first visitors wait for it: phones gain more than the moment it
   * takes.
   */
  reply(encoding: Encoding): ReadyReply | Promise<ReadyReply> {
    return this.#replies.get(encoding) ?? this.#compressing.get(encoding) ?? this.#compress(encoding);
  }

  /** Uncompressed reply. */
  get plain(): ReadyReply {
    const ready = this.#replies.get('identity');
    if (ready) return ready;
    const [only] = this.parts;
    const bytes = only && this.parts.length === 1 ? only : Buffer.concat(this.parts);
    const uncompressed = this.#ready(bytes, 'identity');
    this.#replies.set('identity', uncompressed);
    return uncompressed;
  }

  /** Headers of a 304, identical to the corresponding 200. */
  get notModified(): readonly string[] {
    this.#notModified ??= Object.entries({ ...this.headers, ETag: this.etag ?? '' })
      .filter(
        ([name]) => !name.toLowerCase().startsWith('content-') || name.toLowerCase() === 'content-security-policy',
      )
      .flat();
    return this.#notModified;
  }

  #compress(encoding: Encoding): ReadyReply | Promise<ReadyReply> {
    const { plain } = this;
    if (encoding === 'identity' || plain.bytes.byteLength < worthCompressing) return plain;
    const work = compressed(plain.bytes, encoding, levels[encoding])
      .then(
        (smaller) => {
          const compressedReply = this.#ready(smaller, encoding);
          this.#replies.set(encoding, compressedReply);
          this.#compressedBytes += smaller.byteLength;
          this.#grown();
          return compressedReply;
        },
        // Compression failed; the next request tries again.
        () => plain,
      )
      .finally(() => this.#compressing.delete(encoding));
    this.#compressing.set(encoding, work);
    return work;
  }

  #ready(bytes: Buffer, encoding: Encoding): ReadyReply {
    const headers: Record<string, string> = { ...this.headers, 'Content-Length': String(bytes.byteLength) };
    if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
    if (this.etag !== null) headers.ETag = this.etag;
    return { headers: Object.entries(headers).flat(), bytes };
  }
}

/** Brotli at level 5 is as fast as gzip at 6, and 10 to 15 % smaller. */
const levels = { br: 5, gzip: 6 };

/** Removes headers that the cache sets itself. */
function withoutReserved(headers: Readonly<Record<string, string>>): Record<string, string> {
  const reserved = new Set(['cache-control', 'vary', 'content-length', 'content-encoding', 'etag']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !reserved.has(name.toLowerCase())));
}

/**
 * Weak, since the compressed versions share it. Covers the headers too: after a 304 browsers keep the old ones, but a new CSP must reach
 * them.
 */
function validator(headers: Readonly<Record<string, string>>, parts: readonly Buffer[]): string {
  const hash = createHash('sha256').update(JSON.stringify(headers));
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}
