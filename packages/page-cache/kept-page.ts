import { createHash } from 'node:crypto';
import { compressed, type Encoding } from '@pergola/core';
import type { Hole, RenderedPage } from './types.ts';

/** A reply as it goes out: names and values of its headers in one list, as `writeHead` takes them, and its bytes. */
export interface ReadyReply {
  readonly headers: readonly string[];
  readonly bytes: Buffer;
}

/** Below this size a page travels in one packet anyway. */
const worthCompressing = 1_000;
/** What an entry costs beside its bytes: objects, maps, key. */
const overhead = 1_500;

/** A page in the cache: its bytes, its compressed forms as they are asked for, and the header block of each. */
export class KeptPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts and holes still to be filled for this visitor. A page without holes has one part. */
  readonly parts: readonly Buffer[];
  readonly holes: readonly Hole[];
  /** Of a page without holes: a weak validator, since its compressed forms share it; null with holes. */
  readonly etag: string | null;
  /** Versions of the tables it was made from. */
  readonly versions: ReadonlyMap<string, number>;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Whether it depends on query values that its route doesn't declare. */
  readonly readsAddress: boolean;
  /** The cache's count of changes at which it was last found fresh. */
  checkedAt = -1;
  readonly #replies = new Map<Encoding, ReadyReply>();
  readonly #compressing = new Map<Encoding, Promise<ReadyReply>>();
  readonly #grown: () => void;
  #compressedBytes = 0;
  #notModified: readonly string[] | null = null;

  /** `grown` hears when a compressed form has made it larger. */
  constructor(
    page: RenderedPage,
    about: Pick<KeptPage, 'versions' | 'expires' | 'readsAddress'> & { readonly session: boolean },
    grown: () => void,
  ) {
    this.status = page.status;
    this.headers = {
      ...withoutOurs(page.headers),
      // Browsers ask again each time, caches on the way keep nothing; what is filled in for a session is left nowhere at all.
      'Cache-Control': about.session ? 'private, no-store' : 'private, no-cache',
      Vary: 'Accept-Encoding, Cookie',
    };
    this.parts = page.parts.map((part) => Buffer.from(part));
    this.holes = page.holes;
    this.versions = about.versions;
    this.expires = about.expires;
    this.readsAddress = about.readsAddress;
    this.#grown = grown;
    this.etag = page.holes.length > 0 ? null : validator(this.headers, this.parts);
  }

  /** What it takes of the cache's room, in bytes. */
  get size(): number {
    return this.parts.reduce((sum, part) => sum + part.byteLength, overhead + this.#compressedBytes);
  }

  /** The reply in an encoding; a promise where it is not made yet, which the first who want it wait for: phones gain more than the moment it takes. */
  reply(encoding: Encoding): ReadyReply | Promise<ReadyReply> {
    return this.#replies.get(encoding) ?? this.#compressing.get(encoding) ?? this.#compress(encoding);
  }

  /** The reply as it is. */
  get plain(): ReadyReply {
    const ready = this.#replies.get('identity');
    if (ready) return ready;
    const [only] = this.parts;
    const bytes = only && this.parts.length === 1 ? only : Buffer.concat(this.parts);
    const made = this.#ready(bytes, 'identity');
    this.#replies.set('identity', made);
    return made;
  }

  /** Headers of a 304: none of them says anything else than those of the 200 it stands for. */
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
          const made = this.#ready(smaller, encoding);
          this.#replies.set(encoding, made);
          this.#compressedBytes += smaller.byteLength;
          this.#grown();
          return made;
        },
        // The next who wants it tries again.
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

/** Brotli's 5 is as quick as gzip's 6, and 10 to 15 % smaller. */
const levels = { br: 5, gzip: 6 };

/** Headers that the cache answers for itself are never taken from the render. */
function withoutOurs(headers: Readonly<Record<string, string>>): Record<string, string> {
  const ours = new Set(['cache-control', 'vary', 'content-length', 'content-encoding', 'etag']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ours.has(name.toLowerCase())));
}

/** Weak, since the compressed forms share it; over the headers too, since a 304 keeps those the browser has (a new CSP must arrive). */
function validator(headers: Readonly<Record<string, string>>, parts: readonly Buffer[]): string {
  const hash = createHash('sha256').update(JSON.stringify(headers));
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}
