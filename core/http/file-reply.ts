import type { IncomingMessage } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import parseRange from 'range-parser';
import { NotFound } from '../errors.ts';
import type { FileStore } from '../files/types.ts';
import type { Reply } from './route.ts';
import type { Ready } from './wire.ts';

type FileReply = Extract<Reply, { kind: 'file' }>;

/** What a browser may show in place: nothing of it runs scripts. Everything else is a download, whatever the handler says (C42). */
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
 * The reply with a file of the filestore: 304 where the visitor has it, a part where one is asked for, else all of it.
 *
 * @throws NotFound when its content is gone.
 */
export async function fileReply(
  req: IncomingMessage,
  reply: FileReply,
  about: { files: FileStore; shared: boolean },
): Promise<Ready> {
  const { file, maxAge } = reply;
  const etag = `"${file.hash}"`;
  const headers: Record<string, string | readonly string[]> = {
    ...reply.headers,
    etag,
    'accept-ranges': 'bytes',
    'cache-control':
      maxAge === undefined ? 'private, no-cache' : `${about.shared ? 'public' : 'private'}, max-age=${maxAge}`,
    'content-disposition': disposition(reply),
  };
  const known = req.headers['if-none-match'];
  if (known !== undefined && isAmong(known, etag)) return { status: 304, headers, body: '' };
  const content = await about.files.get(file.hash);
  if (!content) throw new NotFound('The file is no longer there.', { code: 'core.file_gone' });
  return ranged(req, { ...headers, 'content-type': typeOf(file.mimetype) }, content, etag);
}

/** Whether `If-None-Match` names the validator; compared weakly, as for GET. */
function isAmong(header: string, etag: string): boolean {
  return header.split(',').some((item) => ['*', etag].includes(item.trim().replace(/^W\//, '')));
}

/** One range of the file, or all of it; several ranges are answered with all of it, as is allowed. */
function ranged(req: IncomingMessage, headers: Ready['headers'], content: Uint8Array, etag: string): Ready {
  const asked = req.headers.range;
  const condition = req.headers['if-range'];
  if (asked === undefined || (condition !== undefined && condition !== etag)) {
    return { status: 200, headers, body: content };
  }
  const ranges = parseRange(content.byteLength, asked, { combine: true });
  if (ranges === -1) {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${content.byteLength}` }, body: '' };
  }
  const [range] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  if (!range) return { status: 200, headers, body: content };
  const { start, end } = range;
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${content.byteLength}` },
    body: content.subarray(start, end + 1),
    compressible: false,
  };
}

/** `attachment` or `inline` with the name in both spellings (RFC 6266); names cannot break out of the header. */
function disposition({ file, name, inline }: FileReply): string {
  const type = inline && inlineTypes.has(baseType(file.mimetype)) ? 'inline' : 'attachment';
  const shown = (name ?? file.name ?? 'file').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').replace(/[/\\]/g, '_');
  return contentDisposition(shown || 'file', { type });
}

/** What a browser might run is sent as bytes without meaning, even as a download. */
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
