import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import mime from 'mime';
import type { Log } from '../log.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const packable = /^(text\/|application\/(javascript|json|manifest\+json|xml)|image\/svg)/;
const HASHED = 'public, max-age=31536000, immutable';
const WEEK = 'public, max-age=604800';
/** Larger files are not kept in memory. */
const KEPT_BYTES = 2_000_000;

interface Ready {
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly br: Buffer | null;
  readonly type: string;
  readonly etag: string;
}

/** Files of builds (named by their content, kept for ever by browsers) and of addons' `static/` folders. */
export class StaticFiles {
  readonly #folders: ReadonlyMap<string, string>;
  readonly #statics: ReadonlyMap<string, string>;
  readonly #made: ReadonlyMap<string, Buffer>;
  readonly #ready = new Map<string, Promise<Ready | null>>();
  readonly #log: Log;

  constructor(about: {
    /** Addon (or `core`) to the folder of its browser build. */
    folders: ReadonlyMap<string, string>;
    /** Addon to its `static/` folder. */
    statics: ReadonlyMap<string, string>;
    /** Files made in memory, by address. */
    made: ReadonlyMap<string, Buffer>;
    log: Log;
  }) {
    this.#folders = about.folders;
    this.#statics = about.statics;
    this.#made = about.made;
    this.#log = about.log;
  }

  /** `address` is decoded once and has no `.` or `..` segment. */
  async serve(address: string, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const place = this.#locate(address);
    if (!place) return false;
    const ready = await this.#load(address, place);
    if (!ready) return false;
    send(req, res, ready, place.hashed ? HASHED : WEEK);
    return true;
  }

  #locate(address: string): { root: string | null; file: string; hashed: boolean } | null {
    if (this.#made.has(address)) return { root: null, file: address, hashed: true };
    const [, first = '', second = '', ...rest] = address.split('/');
    if (first === '_assets') {
      const root = this.#folders.get(second);
      return root && rest.length === 1 && rest[0] ? { root, file: rest[0], hashed: true } : null;
    }
    const root = second === 'static' ? this.#statics.get(first) : undefined;
    return root && rest.length > 0 && rest.every((part) => part !== '' && !part.startsWith('.'))
      ? { root, file: rest.join('/'), hashed: false }
      : null;
  }

  async #load(
    address: string,
    { root, file, hashed }: { root: string | null; file: string; hashed: boolean },
  ): Promise<Ready | null> {
    const kept = this.#ready.get(address);
    // Hashed files never change; the others are looked at again.
    if (kept && (hashed || root === null)) return kept;
    const made = this.#made.get(address);
    const loading = made ? prepare(made, address) : this.#read(root ?? '', file);
    if (hashed) {
      this.#ready.set(address, loading);
      const ready = await loading;
      if (!ready || ready.plain.length > KEPT_BYTES) this.#ready.delete(address);
    }
    return loading;
  }

  /** null for what is not there, is a folder, or leads out of the root by a link. */
  async #read(root: string, file: string): Promise<Ready | null> {
    try {
      const [inside, real] = await Promise.all([realpath(root), realpath(path.join(root, file))]);
      if (!real.startsWith(inside + path.sep) || !(await stat(real)).isFile()) return null;
      return await prepare(await readFile(real), file);
    } catch (error) {
      const code = Error.isError(error) && 'code' in error ? error.code : null;
      if (!['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE', 'ELOOP'].includes(String(code)))
        this.#log.error({ err: error }, 'A static file could not be read');
      return null;
    }
  }
}

async function prepare(plain: Buffer, file: string): Promise<Ready> {
  const type = mime.getType(file) ?? 'application/octet-stream';
  const pack = packable.test(type) && plain.length > 1_000;
  const [zipped, br] = pack
    ? await Promise.all([zip(plain, { level: 9 }), brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })])
    : [null, null];
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return {
    plain,
    gzip: zipped,
    br,
    type: /^(text\/|application\/(javascript|json))/.test(type) ? `${type}; charset=utf-8` : type,
    etag,
  };
}

function send(req: IncomingMessage, res: ServerResponse, ready: Ready, caching: string): void {
  const headers: Record<string, string | number> = {
    'Cache-Control': caching,
    'Content-Type': ready.type,
    ETag: ready.etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // A drawing opened by itself is a page: it runs nothing and is nobody.
    ...(ready.type.startsWith('image/svg')
      ? { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }
      : {}),
  };
  if (req.headers['if-none-match']?.split(/\s*,\s*/).includes(ready.etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  const accepted = String(req.headers['accept-encoding'] ?? '');
  const encoding = ready.br && /\bbr\b/.test(accepted) ? 'br' : ready.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : null;
  const content = (encoding === 'br' ? ready.br : encoding === 'gzip' ? ready.gzip : null) ?? ready.plain;
  res.writeHead(200, {
    ...headers,
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
    'Content-Length': content.length,
  });
  res.end(req.method === 'HEAD' ? undefined : content);
}
