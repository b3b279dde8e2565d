import {
  type Ctx,
  contributionPoint,
  type FileRef,
  type Id,
  PergolaError,
  type RawDomain,
  type Reply,
  type RequestView,
  reply,
} from 'pergola';
import { declaredAt, didYouMean } from 'pergola/kernel';
import { models } from 'pergola/orm';

/**
 * Maximum size of uploaded images in bytes: phones save 50-megapixel photos with up to 20 MB. They are scaled down before they are stored.
 */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Images visible to everyone although their records aren't. */
export interface PublicPicture {
  readonly model: string;
  readonly field: string;
  /** Domain of the records. */
  readonly domain: RawDomain;
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Images visible to everyone although their records aren't. */
    publicPictures: readonly PublicPicture[];
  }
}

/**
 * Images of records that addons make public: `publicPictures: [{ model: 'res.partner', field: 'image', domain: [['shown', '=', true]] }]`.
 */
export const publicPictures = contributionPoint('publicPictures', {
  needs: { models },
  build({ contributions, needs, report }) {
    for (const { addon, value } of contributions) {
      for (const { model: name, field } of value) {
        const model = needs.models.get(name);
        const type = model?.fields.get(field)?.declared.type;
        if (type === 'image' || type === 'binary') continue;
        const message = `public picture "${name}.${field}" is no picture or file of a model.`;
        const remedy = model ? didYouMean(field, model.fields.keys()) : didYouMean(name, needs.models.models.keys());
        report({ addon: addon.name, message, ...declaredAt({}, addon, [], name), remedy: remedy || undefined });
      }
    }
    return contributions.flatMap(({ value }) => value);
  },
});

/** Odoo's fields for smaller images, as sizes of the stored one. */
const suffixes: Readonly<Record<string, Box>> = {
  small: { width: 64, height: 64 },
  medium: { width: 128, height: 128 },
  big: { width: 1024, height: 1024 },
};
/** Edge lengths of generated images, which limit the number of files per image regardless of the requested sizes. */
const SIDES = [16, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 500, 640, 768, 1024, 1280, 1600, 2048] as const;

/** Image of a request. */
export interface ImageQuestion {
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  /** Requested size; the original size by default. */
  readonly box?: Box;
}

/** Original size. */
const originalBox: Box = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

/** Cache duration in seconds while a smaller version is being generated. */
const PENDING_SECONDS = 3600;

/**
 * Returns an image as AVIF or WebP if the client declares support, as browsers do, else in its own format for email clients and Odoo's
 * clients. Caches store each variant.
 */
export async function pictureReply(
  ctx: Ctx,
  { headers }: RequestView,
  file: FileRef,
  { box = originalBox, name = file.name, maxAge }: { box?: Box; name?: string; maxAge?: number } = {},
): Promise<Reply> {
  const accept = String(headers.accept);
  const { file: served, isPending } = accepts(accept, 'avif')
    ? await ctx.files.smallest(file, box)
    : { file: await ctx.files.resized(file, box, accepts(accept, 'webp') ? 'webp' : 'own'), isPending: false };
  const ending = served.mimetype.replace('image/', '.');
  const fileName = served.mimetype === file.mimetype ? name : name?.replace(/(\.(png|jpe?g))?$/i, ending);
  const cacheSeconds = isPending && maxAge !== undefined ? Math.min(maxAge, PENDING_SECONDS) : maxAge;
  return { ...reply.file(served, { name: fileName, maxAge: cacheSeconds, inline: true }), headers: { vary: 'Accept' } };
}

/** Looks for the type by name, because clients that accept any type may support neither. Clients that accept AVIF support WebP, too. */
function accepts(accept: string, type: 'avif' | 'webp'): boolean {
  return new RegExp(`\\bimage/${type}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(accept);
}

/** Returns the image of a record if the caller may read the record and the field. Returns null in all other cases. */
export async function imageReply(
  ctx: Ctx,
  request: RequestView,
  question: ImageQuestion,
  maxAge?: number,
): Promise<Reply | null> {
  try {
    const records = ctx.modelNamed(question.model);
    const { field, box: fieldBox } = resolveField(Object.keys(records.fields), question.field);
    if (records.fields[field]?.type !== 'image' && records.fields[field]?.type !== 'binary') return null;
    const [row] = await records.read([question.id], { select: { [field]: true } });
    const file: unknown = (row ?? (await publicRow(ctx, question, field)))?.[field];
    // Only re-encoded images have a size; all other files are downloads.
    if (!isPicture(file)) return null;
    return await pictureReply(ctx, request, file, { box: question.box ?? fieldBox, maxAge });
  } catch (error) {
    if (error instanceof PergolaError && error.status < 500) return null;
    throw error;
  }
}

/** Reads only the image of a record whose addon makes it public. */
async function publicRow(
  ctx: Ctx,
  { model, id }: ImageQuestion,
  field: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const picture of ctx.get(publicPictures)) {
    if (picture.model !== model || picture.field !== field) continue;
    // The addon of the record has declared the image public.
    const records = ctx.sudo().modelNamed(model);
    const [row] = await records.find([['id', '=', id], ...picture.domain] as never, {
      select: { [field]: true },
      limit: 1,
    });
    if (row) return row;
  }
  return undefined;
}

/** `image_small` is a size of `image`, unless the model has a field with that name. */
function resolveField(fields: readonly string[], fieldName: string): { field: string; box?: Box } {
  if (fields.includes(fieldName)) return { field: fieldName };
  const match = /^(\w+)_(small|medium|big)$/.exec(fieldName);
  return match ? { field: match[1] ?? '', box: suffixes[match[2] ?? ''] } : { field: fieldName };
}

function isPicture(file: unknown): file is FileRef {
  return (
    typeof file === 'object' &&
    file !== null &&
    'hash' in file &&
    'mimetype' in file &&
    'width' in file &&
    typeof file.width === 'number' &&
    String(file.mimetype).startsWith('image/')
  );
}

/** Returns the smallest standard box that contains the requested one, or with `isInside` the largest one inside it. */
export function standardBox(width: number, height: number, isInside = false): Box {
  const side = (length: number): number =>
    isInside
      ? (SIDES.findLast((side) => side <= length) ?? SIDES[0])
      : (SIDES.find((side) => side >= length) ?? SIDES[SIDES.length - 1] ?? length);
  return { width: side(width), height: side(height) };
}
