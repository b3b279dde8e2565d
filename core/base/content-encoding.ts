import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Encoding = 'identity' | 'gzip' | 'br';

const plain: readonly Encoding[] = ['identity'];
const brotliFirst: readonly Encoding[] = ['br', 'gzip', 'identity'];
const gzipFirst: readonly Encoding[] = ['gzip', 'identity'];

/** Returns the encodings accepted by a visitor (`Accept-Encoding`), best first; always includes `identity`. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined || header === '') return plain;
  // Fast path for the headers sent by browsers.
  if (header === 'gzip, deflate, br, zstd' || header === 'gzip, deflate, br') return brotliFirst;
  if (header === 'gzip, deflate') return gzipFirst;
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['br', 'gzip']);
  return brotliFirst.filter((encoding) => encoding === 'identity' || accepted.includes(encoding));
}

/** Whether compressing this content type saves bytes. */
export function isCompressible(type: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml))|image\/svg\+xml)/i.test(type);
}

const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

/** Compresses bytes in the thread pool; `level` is the brotli quality (0 to 11) or gzip level (0 to 9). */
export function compressed(bytes: Buffer, encoding: 'gzip' | 'br', level: number): Promise<Buffer> {
  if (encoding === 'gzip') return asGzip(bytes, { level });
  const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  return asBrotli(bytes, { params });
}
