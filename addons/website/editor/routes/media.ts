import { Attachment } from '@pergola/base';
import { MAX_PICTURE_BYTES, pictureReply } from '@pergola/web';
import {
  type Ctx,
  errorText,
  type FileRef,
  NotFound,
  PergolaError,
  type Reply,
  type RequestView,
  reply,
  route,
  Unavailable,
  z,
} from 'pergola';
import { YEAR_SECONDS } from '../../services/durations.ts';
import { t } from '../../texts.ts';
import { isRaster, roundedWidth } from '../media/addresses.ts';
import { firstUpload, limitsFor, requireSpace, storeFile, storePicture, storePictureAddress } from '../media/store.ts';
import { mayUploadPictures } from '../media/writers.ts';

/** Maximum file upload in bytes. */
const mostFileBytes = 50 * 1024 * 1024;

/** Users who may store attachments; checked before the upload is read. */
const employees = { auth: 'user', groups: ['base.group_user'] } as const;

/** Result of the step before the transaction: the stored file, or an error message. */
type Stored = { readonly file: FileRef } | { readonly error: string } | null;

const text = (body: unknown, name: string): string => {
  const value =
    typeof body === 'object' && body !== null && name in body ? (body as Record<string, unknown>)[name] : '';
  return typeof value === 'string' ? value : '';
};

/** Stores an image: an upload, or the URL of an image on this site. Returns `{ id, website_url, name, width, height }` or `{ error }`. */
export const attach = route.http(
  '/website/attach',
  {
    name: 'website.attach',
    method: 'POST',
    auth: 'user',
    body: 'form',
    files: { upload: MAX_PICTURE_BYTES },
    limit: { bytes: MAX_PICTURE_BYTES + 100_000 },
    rate: { calls: 120, seconds: 60, by: 'user' },
    writes: true,
    prepare: async ({ ctx, body, files }): Promise<Stored> => {
      if (!(await mayUploadPictures(ctx)))
        throw new NotFound('We can’t find that page.', { code: 'core.no_such_route' });
      const upload = firstUpload(files, 'upload');
      if (!upload) return null;
      const { name, content } = upload;
      return tryStore(ctx, async () => {
        // The final size is known after re-encoding; this rejects uploads when no space is left.
        await requireSpace(ctx, 1);
        return ctx.files.putImage(content, { name, ...limitsFor(text(body, 'disable_optimization')) });
      });
    },
  },
  ({ ctx, body, prepared }) =>
    replyWith(ctx, () => {
      if (prepared === null) return storePictureAddress(ctx, text(body, 'url'));
      if ('error' in prepared) return prepared;
      return storePicture(ctx, prepared.file);
    }),
);

/** Stores any file for downloads. Returns `{ id, name, website_url }` or `{ error }`. */
export const attachFile = route.http(
  '/website/attach_file',
  {
    name: 'website.attach_file',
    method: 'POST',
    ...employees,
    body: 'form',
    files: { upload: mostFileBytes },
    limit: { bytes: mostFileBytes + 100_000 },
    rate: { calls: 120, seconds: 60, by: 'user' },
    writes: true,
    prepare: async ({ ctx, files }): Promise<Stored> => {
      const upload = firstUpload(files, 'upload');
      if (!upload) return null;
      const { name, content, mimetype } = upload;
      return tryStore(ctx, async () => {
        await requireSpace(ctx, content.byteLength);
        return ctx.files.put(content, { name, mimetype });
      });
    },
  },
  ({ ctx, body, prepared }) =>
    replyWith(ctx, () => {
      if (prepared === null) return { error: t(ctx, 'Choose a file first.') };
      if ('error' in prepared) return prepared;
      return storeFile(ctx, prepared.file, ['1', 'true', 'on'].includes(text(body, 'overwrite')));
    }),
);

/** Serves an image of the website, in its original size or in one of a few widths: `…/datas/640x640`. */
const serve = async (
  ctx: Ctx,
  request: RequestView,
  fileName: string,
  box?: { width: number; height: number },
): Promise<Reply> => {
  const id = Number(fileName.split('_')[0]);
  const [readable] = await ctx.model(Attachment).readable([id]);
  // Access was checked above.
  const [row] =
    readable === undefined
      ? []
      : await ctx
          .sudo()
          .model(Attachment)
          .read([readable], { select: { datas: true, name: true } });
  if (!row?.datas || !isRaster(row.datas))
    throw new NotFound('This image doesn’t exist.', { code: 'website.no_picture' });
  const isNamedByContent = fileName === `${id}_${row.datas.hash.slice(0, 7)}`;
  return pictureReply(ctx, request, row.datas, {
    box,
    name: row.name,
    maxAge: isNamedByContent ? YEAR_SECONDS : undefined,
  });
};

const fileName = z.string().regex(/^\d{1,15}(_[0-9a-f]{7})?$/);

export const picture = route.http(
  '/website/image/ir.attachment/:named/datas',
  { name: 'website.picture', method: 'GET', params: { named: fileName } },
  ({ ctx, params, request }) => serve(ctx, request, params.named),
);

export const pictureInSize = route.http(
  '/website/image/ir.attachment/:named/datas/:size',
  {
    name: 'website.picture_in_size',
    method: 'GET',
    params: { named: fileName, size: z.string().regex(/^\d{1,5}x\d{1,5}$/) },
  },
  ({ ctx, params, request }) => {
    const [width = 0, height = 0] = params.size.split('x').map(Number);
    return serve(ctx, request, params.named, { width: roundedWidth(width), height: roundedWidth(height) });
  },
);

async function tryStore(ctx: Ctx, store: () => Promise<FileRef>): Promise<Stored> {
  try {
    return { file: await store() };
  } catch (error) {
    return { error: textOf(ctx, error) };
  }
}

/** Returns errors in the response for display next to the upload, and rolls back. */
async function replyWith(ctx: Ctx, keep: () => object | Promise<object>): Promise<Reply> {
  try {
    return reply.json(await ctx.savepoint(async () => keep()));
  } catch (error) {
    return reply.json({ error: textOf(ctx, error) });
  }
}

function textOf(ctx: Ctx, error: unknown): string {
  if (error instanceof Unavailable || (error instanceof PergolaError && error.status < 500))
    return errorText(ctx, error);
  throw error;
}
