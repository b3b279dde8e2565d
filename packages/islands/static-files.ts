import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { namedCache } from '@pergola/caches';
import { acceptedEncodings, type Log } from '@pergola/core';
import fresh from 'fresh';
import { type Packed, pack, readPacked, typeOf } from './packed.ts';

const HASHED = 'public, max-age=31536000, immutable';
const WEEK = 'public, max-age=604800';
/** Larger files are read from the disk for each visitor. */
const KEPT_BYTES = 2_000_000;
/** Limit for all cached files together, compressed versions included. */
const MAX_BYTES = 48_000_000;
/** Builds are flat folders; compressed versions can't be requested as files. */
const buildFile = /^[\w-]+(\.[\w-]+)+(?<!\.(br|gz))$/;
/** Error codes for names that aren't files, as opposed to disk errors. */
const missingCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
  'ELOOP',
]);

/** A file in memory. */
interface Content extends Packed {
  readonly plain: Buffer;
  readonly etag: string;
  readonly bytes: number;
}

interface Place {
  /** The folder that the file must be in. */
  readonly root: string;
  readonly file: string;
  readonly hashed: boolean;
}

/** A file that may be served: in memory, or a large one on the disk. */
type Found = { readonly content: Content } | { readonly onDisk: string; readonly size: number; readonly etag: string };

/** Serves files of builds (named by content hash, cached forever by browsers) and of addons' `static/` folders. */
export class StaticFiles {
  readonly #folders: ReadonlyMap<string, string>;
  readonly #statics: ReadonlyMap<string, string>;
  readonly #made: ReadonlyMap<string, Buffer>;
  /** By file and stamp. Asked for by many at once, a file is read once. */
  readonly #contents = namedCache<string, Content>('static_files', {
    maxSize: MAX_BYTES,
    // Empty files count too, as chunks of builds may be.
    sizeCalculation: ({ bytes }, key) => key.length + bytes,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context }) => (context as () => Promise<Content>)(),
  });
  readonly #log: Log;

  constructor(options: {
    /** Browser build folder by addon (or `core`). */
    folders: ReadonlyMap<string, string>;
    /** `static/` folder by addon. */
    statics: ReadonlyMap<string, string>;
    /** Generated files, by address. */
    made: ReadonlyMap<string, Buffer>;
    log: Log;
  }) {
    this.#folders = options.folders;
    this.#statics = options.statics;
    this.#made = options.made;
    this.#log = options.log;
  }

  /** `address` is decoded once and has no `.` or `..` segments. The headers common to all assets are already set on `res`. */
  async serve(address: string, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const generated = this.#made.get(address);
    const place = generated ? null : this.#locate(address);
    const asset = generated ? await this.#keep(address, '', async () => generated) : place && (await this.#find(place));
    if (!asset) return false;
    await send(req, res, asset, typeOf(address), generated || place?.hashed ? HASHED : WEEK);
    return true;
  }

  #locate(address: string): Place | null {
    const [, first = '', second = '', ...rest] = address.split('/');
    if (first === '_assets') {
      const root = this.#folders.get(second);
      const [file = '', ...deeper] = rest;
      return root && deeper.length === 0 && buildFile.test(file) ? { root, file, hashed: true } : null;
    }
    const root = second === 'static' ? this.#statics.get(first) : undefined;
    return root && rest.length > 0 && rest.every((part) => part !== '' && !part.startsWith('.'))
      ? { root, file: rest.join('/'), hashed: false }
      : null;
  }

  /** Null for missing files, folders, and links that leave the root. */
  async #find({ root, file, hashed }: Place): Promise<Found | null> {
    const full = path.join(root, file);
    // The name contains a hash of the contents, so they never change.
    const cached = hashed ? this.#contents.get(full) : undefined;
    if (cached) return { content: cached };
    try {
      const [inside, real] = await Promise.all([realpath(root), realpath(full)]);
      const stats = await stat(real);
      if (!real.startsWith(inside + path.sep) || !stats.isFile()) return null;
      const stamp = `${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}`;
      if (stats.size > KEPT_BYTES) return { onDisk: real, size: stats.size, etag: `"${stamp}"` };
      return await this.#keep(full, hashed ? '' : ` ${stamp}`, () => readFile(real), hashed);
    } catch (error) {
      const code = Error.isError(error) && 'code' in error ? String(error.code) : '';
      if (!missingCodes.has(code)) this.#log.error({ err: error, file }, 'A static file could not be read');
      return null;
    }
  }

  async #keep(file: string, stamp: string, read: () => Promise<Buffer>, hashed = false): Promise<Found> {
    const make = async (): Promise<Content> => {
      const plain = await read();
      const packed = (hashed ? await readPacked(file) : null) ?? (await pack(plain, typeOf(file)));
      const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
      const bytes = plain.length + (packed.gzip?.length ?? 0) + (packed.br?.length ?? 0);
      return { plain, ...packed, etag, bytes };
    };
    return { content: await this.#contents.forceFetch(file + stamp, { context: make }) };
  }
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  asset: Found,
  type: string,
  caching: string,
): Promise<void> {
  const etag = 'content' in asset ? asset.content.etag : asset.etag;
  const headers: Record<string, string | number> = {
    'Cache-Control': caching,
    'Content-Type': /^(text\/|application\/(javascript|json))/.test(type) ? `${type}; charset=utf-8` : type,
    ETag: etag,
    Vary: 'Accept-Encoding',
    // An SVG opened directly is a page: it must not run scripts or act as this site.
    ...(type.startsWith('image/svg')
      ? { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }
      : {}),
  };
  if (fresh({ 'if-none-match': req.headers['if-none-match'] }, { etag: `W/${etag}` })) {
    res.writeHead(304, headers).end();
    return;
  }
  if ('onDisk' in asset) {
    res.writeHead(200, { ...headers, 'Content-Length': asset.size });
    if (req.method === 'HEAD') res.end();
    // A disconnecting visitor isn't an error.
    else await pipeline(createReadStream(asset.onDisk), res).catch(() => {});
    return;
  }
  const { encoding, bytes } = encoded(req, asset.content);
  if (encoding) headers['Content-Encoding'] = encoding;
  res.writeHead(200, { ...headers, 'Content-Length': bytes.length });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

function encoded(req: IncomingMessage, content: Content): { encoding: 'br' | 'gzip' | null; bytes: Buffer } {
  for (const encoding of acceptedEncodings(String(req.headers['accept-encoding'] ?? ''))) {
    const bytes = encoding === 'identity' ? null : content[encoding];
    if (bytes && encoding !== 'identity') return { encoding, bytes };
  }
  return { encoding: null, bytes: content.plain };
}
