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

/** Largest picture that can be uploaded, in bytes: phones write photos of 50 megapixels in up to 20 MB. They are made smaller before they are kept. */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Pictures that everybody may see although their record is not for everybody. */
export interface PublicPicture {
  readonly model: string;
  readonly field: string;
  /** Of which records. */
  readonly domain: RawDomain;
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Pictures that everybody may see although their record is not for everybody. */
    publicPictures: readonly PublicPicture[];
  }
}

/**
 * Where addons say which pictures of records are public: `publicPictures: [{ model: 'res.partner', field: 'image', domain: [['shown', '=', true]] }]`.
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

/** Odoo's fields for smaller pictures, as sizes of the one picture there is. */
const suffixes: Readonly<Record<string, Box>> = {
  small: { width: 64, height: 64 },
  medium: { width: 128, height: 128 },
  big: { width: 1024, height: 1024 },
};
/** Sides that pictures are made in: whatever is asked for, there are so many files of a picture and no more. */
const sides = [16, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 500, 640, 768, 1024, 1280, 1600, 2048] as const;

/** Which picture a request is about. */
export interface ImageQuestion {
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  /** The box asked for; the picture as it is when left out. */
  readonly box?: Box;
}

/** Any picture fits. */
const whole: Box = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

/** Until caches ask again for what is being made smaller, in seconds. */
const SOON = 3600;

/**
 * A picture as it is sent: AVIF or WebP to who says that it takes them, as browsers do; what it is to everybody else, as mail programs and Odoo's clients
 * are. Caches keep each.
 */
export async function pictureReply(
  ctx: Ctx,
  { headers }: RequestView,
  file: FileRef,
  { box = whole, name = file.name, maxAge }: { box?: Box; name?: string; maxAge?: number } = {},
): Promise<Reply> {
  const accept = String(headers.accept);
  const { file: served, isPending } = takes(accept, 'avif')
    ? await ctx.files.smallest(file, box)
    : { file: await ctx.files.resized(file, box, takes(accept, 'webp') ? 'webp' : 'own'), isPending: false };
  const ending = served.mimetype.replace('image/', '.');
  const named = served.mimetype === file.mimetype ? name : name?.replace(/(\.(png|jpe?g))?$/i, ending);
  const kept = isPending && maxAge !== undefined ? Math.min(maxAge, SOON) : maxAge;
  return { ...reply.file(served, { name: named, maxAge: kept, inline: true }), headers: { vary: 'Accept' } };
}

/** By name: who takes anything may know neither. Whoever takes AVIF takes WebP, too. */
function takes(accept: string, type: 'avif' | 'webp'): boolean {
  return new RegExp(`\\bimage/${type}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(accept);
}

/**
 * A record's picture, when the caller may see record and field; null for everything else, whatever the reason.
 */
export async function imageReply(
  ctx: Ctx,
  request: RequestView,
  question: ImageQuestion,
  maxAge?: number,
): Promise<Reply | null> {
  try {
    const records = ctx.modelNamed(question.model);
    const { field, box: own } = resolveField(Object.keys(records.fields), question.field);
    if (records.fields[field]?.type !== 'image' && records.fields[field]?.type !== 'binary') return null;
    const [row] = await records.read([question.id], { select: { [field]: true } });
    const file: unknown = (row ?? (await publicRow(ctx, question, field)))?.[field];
    // Only pictures that were encoded anew have a size; anything else is a download.
    if (!isPicture(file)) return null;
    return await pictureReply(ctx, request, file, { box: question.box ?? own, maxAge });
  } catch (error) {
    if (error instanceof PergolaError && error.status < 500) return null;
    throw error;
  }
}

/** The picture alone of a record that its addon shows to everybody; nothing else of it is read. */
async function publicRow(
  ctx: Ctx,
  { model, id }: ImageQuestion,
  field: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const shown of ctx.get(publicPictures)) {
    if (shown.model !== model || shown.field !== field) continue;
    // The addon that brings the record said which pictures are for everybody.
    const records = ctx.sudo().modelNamed(model);
    const [row] = await records.find([['id', '=', id], ...shown.domain] as never, {
      select: { [field]: true },
      limit: 1,
    });
    if (row) return row;
  }
  return undefined;
}

/** `image_small` is a size of `image`, unless the model has such a field. */
function resolveField(fields: readonly string[], asked: string): { field: string; box?: Box } {
  if (fields.includes(asked)) return { field: asked };
  const match = /^(\w+)_(small|medium|big)$/.exec(asked);
  return match ? { field: match[1] ?? '', box: suffixes[match[2] ?? ''] } : { field: asked };
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

/** The smallest box of ours that a picture for the asked one fits into; `within`: never larger than asked. */
export function standardBox(width: number, height: number, within = false): Box {
  const side = (asked: number): number =>
    within
      ? (sides.findLast((one) => one <= asked) ?? sides[0])
      : (sides.find((one) => one >= asked) ?? sides[sides.length - 1] ?? asked);
  return { width: side(width), height: side(height) };
}
