import { readFile } from 'node:fs/promises';
import { Attachment } from '@pergola/base';
import { type Ctx, NotFound, PergolaError, type Reply, type RequestView, reply, route, z } from 'pergola';
import { type Box, type ImageQuestion, imageReply, standardBox } from '../services/images.ts';

const YEAR = 365 * 24 * 3600;
const side = z.coerce.number().int().min(1).max(4096);

/** Returns the placeholder for missing and inaccessible images: the same bytes, so the response doesn't reveal which. */
async function placeholder(request: RequestView, kind: 'picture' | 'logo' = 'picture'): Promise<Reply> {
  const file = kind === 'picture' ? 'placeholder.png' : 'logo.png';
  const bytes = await readFile(new URL(`../static/img/${file}`, import.meta.url));
  const etag = `"${kind}-${bytes.byteLength}"`;
  const headers = { etag, 'cache-control': 'private, no-cache' };
  return request.headers['if-none-match'] === etag
    ? { ...reply.empty(304), headers }
    : reply.body(bytes, 'image/png', headers);
}

async function image(
  ctx: Ctx,
  request: RequestView,
  question: ImageQuestion,
  { unique, maxAge }: { unique?: string; maxAge?: number },
): Promise<Reply> {
  const picture = await imageReply(ctx, request, question, unique === undefined ? maxAge : YEAR);
  return picture ?? placeholder(request);
}

const immutableQuery = z.object({
  /** Prefix of the image's hash, so that an address always refers to the same bytes. */
  unique: z.string().max(64).optional(),
});

const imageQuery = z.object({
  model: z.string().max(64).default(''),
  field: z.string().max(64).default('image'),
  /** A number, or a list whose first item counts, as sent by Odoo's clients. */
  id: z.string().max(200).default(''),
  /** `width,height`, 500 each at most. */
  resize: z
    .string()
    .regex(/^\d{1,5},\d{1,5}$/)
    .optional()
    .catch(undefined),
  width: side.optional().catch(undefined),
  height: side.optional().catch(undefined),
  ...immutableQuery.shape,
  cache: z.coerce.number().int().min(0).max(YEAR).optional().catch(undefined),
});

const imageByQuery = route.http(
  '/web/binary/image',
  { name: 'web.image', method: 'GET', query: imageQuery },
  ({ ctx, query, request }) => {
    const { model, field, id, resize, width, height, unique, cache } = imageQuery.parse(query);
    const record = Number(/^\s*\[?\s*(\d{1,15})/.exec(id)?.[1] ?? 0);
    return image(
      ctx,
      request,
      { model, field, id: record, box: boxOf({ resize, width, height }) },
      {
        unique,
        maxAge: cache || undefined,
      },
    );
  },
);

function boxOf(query: { resize?: string; width?: number; height?: number }): Box | undefined {
  if (query.resize) {
    const [width = 0, height = 0] = query.resize.split(',').map((number) => Math.min(500, Number(number)));
    return width > 0 && height > 0 ? standardBox(width, height, true) : undefined;
  }
  const { width, height } = query;
  return width || height ? standardBox(width ?? 4096, height ?? 4096) : undefined;
}

const imageParams = { model: z.string().max(64), id: z.coerce.number().int().min(0), field: z.string().max(64) };

const imageByPath = route.http(
  '/web/image/:model/:id/:field',
  { name: 'web.image_path', method: 'GET', params: imageParams, query: immutableQuery },
  ({ ctx, params, query, request }) => image(ctx, request, params, query),
);

const imageByPathInSize = route.http(
  '/web/image/:model/:id/:field/:size',
  {
    name: 'web.image_path_size',
    method: 'GET',
    params: { ...imageParams, size: z.string().regex(/^\d{1,4}x\d{1,4}$/) },
    query: immutableQuery,
  },
  ({ ctx, params, query, request }) => {
    const [width = 0, height = 0] = params.size.split('x').map(Number);
    const box = width > 0 && height > 0 ? standardBox(width, height) : undefined;
    return image(ctx, request, { ...params, box }, query);
  },
);

const companyLogo = route.http(
  '/web/binary/company_logo',
  { name: 'web.company_logo', method: 'GET' },
  async ({ ctx, request }) => {
    const id = await ctx.ref('base.main_company');
    const box = { width: 500, height: 500 };
    const logo = await imageReply(ctx, request, { model: 'res.company', id, field: 'logo', box });
    return logo ?? placeholder(request, 'logo');
  },
);

const fileNotFound = () => new NotFound('This file doesn’t exist.', { code: 'web.no_file' });

/** Returns a file as a download; re-encoded images are shown inline (C42). */
async function attachment(ctx: Ctx, id: number): Promise<Reply> {
  const files = ctx.model(Attachment);
  const [readable] = await files.readable([id]);
  if (readable === undefined) throw fileNotFound();
  // Access was checked above. Reads with elevated rights, because callers may read the record of the file without being allowed to list
  // files.
  const { datas, name, datas_fname } = await ctx
    .sudo()
    .model(Attachment)
    .get(id, { select: { datas: true, name: true, datas_fname: true } });
  if (!datas) throw fileNotFound();
  return reply.file(datas, { name: datas_fname ?? name, inline: datas.width !== undefined });
}

const contentParams = { id: z.coerce.number().int().positive() };
const content = route.http(
  '/web/content/:id',
  { name: 'web.content', method: 'GET', params: contentParams },
  ({ ctx, params }) => attachment(ctx, params.id),
);
const contentNamed = route.http(
  '/web/content/:id/:name',
  { name: 'web.content_named', method: 'GET', params: { ...contentParams, name: z.string() } },
  ({ ctx, params }) => attachment(ctx, params.id),
);

/** Odoo's download address for any file field. */
const saveAs = route.http(
  '/web/binary/saveas',
  {
    name: 'web.saveas',
    method: 'GET',
    query: z.object({
      model: z.string().max(64),
      field: z.string().max(64),
      id: z.coerce.number().int().positive(),
      filename_field: z.string().max(64).optional(),
    }),
  },
  async ({ ctx, query }) => {
    const {
      model,
      field,
      id,
      filename_field: nameField,
    } = query as {
      model: string;
      field: string;
      id: number;
      filename_field?: string;
    };
    if (model === 'ir.attachment' && field === 'datas') return attachment(ctx, id);
    try {
      const records = ctx.modelNamed(model);
      const hasNameField = nameField !== undefined && records.fields[nameField]?.type === 'char';
      const type = records.fields[field]?.type;
      if (type !== 'binary' && type !== 'image') throw fileNotFound();
      const [row] = await records.read([id], {
        select: { [field]: true, ...(hasNameField ? { [nameField]: true } : {}) },
      });
      const file = row?.[field] as Parameters<typeof reply.file>[0] | null | undefined;
      if (!file) throw fileNotFound();
      const name: unknown = hasNameField ? row?.[nameField] : undefined;
      return reply.file(file, typeof name === 'string' ? { name } : {});
    } catch (error) {
      if (error instanceof PergolaError && error.status < 500) throw fileNotFound();
      throw error;
    }
  },
);

export const binaryRoutes = [imageByQuery, imageByPath, imageByPathInSize, companyLogo, content, contentNamed, saveAs];
