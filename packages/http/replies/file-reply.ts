import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { withoutControls } from '@pergola/content';
import { NotFound } from '@pergola/core';
import type { FileStore, StoredFile } from '@pergola/files';
import { create as contentDisposition } from 'content-disposition';
import fresh from 'fresh';
import parseRange from 'range-parser';
import type { Reply } from '../routes/reply.ts';
import type { Flowing, HeaderValues, Ready } from './send.ts';

type FileReply = Extract<Reply, { kind: 'file' }>;

/** Types a browser may show inline, none of which can run scripts. All others are downloads, whatever the handler says (C42). */
const inlineTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
  'text/plain',
  'audio/mpeg',
  'audio/ogg',
  'video/mp4',
  'video/webm',
]);

/**
 * Reply with a file from the filestore: 304 if the visitor has it, a range if requested, otherwise all of it. Streamed at the client's
 * speed, so only one chunk is in memory.
 *
 * @throws NotFound if the content is missing.
 */
export async function fileReply(
  req: IncomingMessage,
  reply: FileReply,
  options: { files: FileStore; shared: boolean },
): Promise<Ready | Flowing> {
  const { file, maxAge } = reply;
  const etag = `"${file.hash}"`;
  const headers: Record<string, string | readonly string[]> = {
    ...reply.headers,
    etag,
    'accept-ranges': 'bytes',
    'cache-control':
      maxAge === undefined ? 'private, no-cache' : `${options.shared ? 'public' : 'private'}, max-age=${maxAge}`,
    'content-disposition': disposition(reply),
  };
  const clientEtag = req.headers['if-none-match'];
  if (clientEtag !== undefined && fresh({ 'if-none-match': clientEtag }, { etag }))
    return { status: 304, headers, body: '' };
  const stored = await options.files.open(file.hash);
  if (!stored) throw new NotFound('This file no longer exists.', { code: 'core.file_gone' });
  return ranged(req, { ...headers, 'content-type': typeOf(file.mimetype) }, stored, etag);
}

/** One range of the file, or all of it; requests for several ranges get the whole file, as the standard allows. */
function ranged(req: IncomingMessage, headers: HeaderValues, stored: StoredFile, etag: string): Ready | Flowing {
  const { size } = stored;
  const rangeHeader = req.headers.range;
  const condition = req.headers['if-range'];
  const isWhole = rangeHeader === undefined || (condition !== undefined && condition !== etag);
  const ranges = isWhole ? -2 : parseRange(size, rangeHeader, { combine: true });
  if (ranges === -1) return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: '' };
  const [range] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end - start + 1),
      ...(range ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    },
    body: req.method === 'HEAD' || size === 0 ? Readable.from([]) : stored.read(start, end),
  };
}

/** `attachment` or `inline` with the name in both spellings (RFC 6266), escaped for the header. */
function disposition({ file, name, inline }: FileReply): string {
  const type = inline && inlineTypes.has(baseType(file.mimetype)) ? 'inline' : 'attachment';
  const safeName = withoutControls(name ?? file.name ?? 'file').replace(/[/\\]/g, '_');
  return contentDisposition(safeName || 'file', { type });
}

/** Types a browser might execute are sent as plain bytes, even for downloads. */
function typeOf(mimetype: string): string {
  const type = baseType(mimetype);
  if (type === 'text/plain') return 'text/plain; charset=utf-8';
  return /html|svg|xml|javascript|ecmascript/.test(type) || !/^[\w.+-]+\/[\w.+-]+$/.test(type)
    ? 'application/octet-stream'
    : type;
}

function baseType(mimetype: string): string {
  return mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
}
