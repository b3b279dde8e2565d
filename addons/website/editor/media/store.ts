import { Attachment, User } from '@pergola/base';
import { type Ctx, type FileRef, type Id, InvalidInput, safePath, setting, z } from 'pergola';
import type { ImageLimits, Upload } from 'pergola/http';
import { t } from '../../texts.ts';
import { WebsiteAttachment } from '../models/attachment.ts';
import { fileAddress, pictureAddress } from './addresses.ts';
import { isEmployee } from './writers.ts';

/** Storage quota of a user's uploads. */
export const mediaQuota = setting('website.media_quota_mb', z.number().int().min(1).max(1_000_000), 500, {
  label: 'Space for uploads per user (MB)',
  help: 'Total size of the images and files each editor can upload.',
  section: 'Website',
});

/** Storage quota for images in texts of users who aren't employees. */
const WRITERS_MB = 50;

/** Images of the website have no record; the original attaches them to this model, and clients filter by it. */
const pictureModel = 'ir.ui.view';
/** Images wider than any screen are scaled down unless their owner chooses otherwise. */
const largest = 2560;

/** Attachment as expected by upload widgets. */
export interface Attached {
  readonly id: Id;
  readonly website_url: string;
  readonly name: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** Limits for the original's `disable_optimization` parameter: `1` keeps the size, anything else is a bounding box. */
export function limitsFor(optimization: string | undefined): ImageLimits {
  if (optimization === '1') return {};
  const side = /^(600|1024)(_to_jpeg)?$/.exec(optimization ?? '')?.[1];
  const box = side === undefined ? largest : Number(side);
  return { fit: { width: box, height: box } };
}

/**
 * Stores an uploaded image, or returns the existing attachment with the same name and content. The route checks whether the caller may
 * upload images.
 */
export async function storePicture(ctx: Ctx, file: FileRef): Promise<Attached> {
  // Writers of texts may upload images but have no access to attachments.
  const attachments = (isEmployee(ctx) ? ctx : ctx.sudo()).model(WebsiteAttachment);
  const name = file.name ?? t(ctx, 'Image');
  const existing = await attachments.first(
    [
      ['res_model', '=', pictureModel],
      ['checksum', '=', file.hash],
      ['name', '=', name],
      ['public', '=', true],
    ],
    { select: { id: true } },
  );
  if (existing) return attachedPicture(existing.id, name, file);
  await reserveSpace(ctx, file.size);
  const id = await attachments.create({ name, datas: file, datas_fname: name, res_model: pictureModel, public: true });
  return attachedPicture(id, name, file);
}

function attachedPicture(id: Id, name: string, { hash, width, height }: FileRef): Attached {
  return { id, name, website_url: pictureAddress(id, hash), width: width ?? null, height: height ?? null };
}

/**
 * Stores the URL of an image on this site. Rejects other hosts: pages don't show their images, which would reveal every visitor to that
 * host, and the server never fetches user-supplied URLs.
 */
export async function storePictureAddress(ctx: Ctx, url: string): Promise<Attached> {
  const trimmed = url.trim();
  if (trimmed === '')
    throw new InvalidInput('You must enter a Image URL to insert', { code: 'website.no_picture_address' });
  if (safePath(trimmed) !== trimmed) {
    throw new InvalidInput('Images from other sites aren’t shown. Save the image to your device, then upload it.', {
      code: 'website.picture_elsewhere',
    });
  }
  const name =
    decodeURIComponent(
      trimmed
        .replace(/[?#].*$/s, '')
        .split('/')
        .at(-1) ?? '',
    ) || trimmed;
  const pictures = ctx.model(WebsiteAttachment);
  const [existing] = await pictures.search([
    ['type', '=', 'url'],
    ['url', '=', trimmed],
    ['res_model', '=', pictureModel],
  ]);
  const id =
    existing ??
    (await pictures.create({
      name: name.slice(0, 255),
      type: 'url',
      url: trimmed,
      res_model: pictureModel,
      public: true,
    }));
  return { id, website_url: trimmed, name, width: null, height: null };
}

/** Stored file of the website. */
export interface AttachedFile {
  readonly id: Id;
  readonly name: string;
  readonly website_url: string;
}

/** Stores an uploaded file for downloads. With `overwrite` it replaces a file of the same name; otherwise it becomes `name-2.pdf`. */
export async function storeFile(ctx: Ctx, file: FileRef, overwrite: boolean): Promise<AttachedFile> {
  const files = ctx.model(WebsiteAttachment);
  const name = file.name ?? 'file';
  const [existing] = await files.search(
    [
      ['website_file', '=', true],
      ['datas_fname', '=', name],
    ],
    { limit: 1 },
  );
  await reserveSpace(ctx, file.size);
  if (existing !== undefined && overwrite) {
    await files.write(existing, { datas: file, datas_fname: name });
    return { id: existing, name, website_url: fileAddress(existing, name) };
  }
  const free = existing === undefined ? name : await freeName(ctx, name);
  const id = await files.create({ name: free, datas: file, datas_fname: free, website_file: true, public: true });
  return { id, name: free, website_url: fileAddress(id, free) };
}

async function freeName(ctx: Ctx, name: string): Promise<string> {
  const dot = name.lastIndexOf('.');
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const rows = await ctx.model(WebsiteAttachment).find(
    [
      ['website_file', '=', true],
      ['datas_fname', 'like', base],
    ],
    { select: { datas_fname: true } },
  );
  const takenNames = new Set(rows.map(({ datas_fname }) => datas_fname));
  for (let number = 2; ; number++) {
    const candidate = `${base}-${number}${ending}`;
    if (!takenNames.has(candidate)) return candidate;
  }
}

/** @throws InvalidInput if the user's uploads would exceed the quota */
export async function requireSpace(ctx: Ctx, more: number): Promise<void> {
  const space = await ctx.settings.get(mediaQuota);
  const quota = isEmployee(ctx) ? space : Math.min(space, WRITERS_MB);
  const [used] = await ctx
    .sudo() // Counts all uploads of the user, including those they can no longer see.
    .model(Attachment)
    .group([['create_uid', '=', ctx.user.id]], { by: [], aggregates: ['file_size:sum'] });
  const bytes = Number(used?.['file_size:sum'] ?? 0);
  if (bytes + more <= quota * 1_000_000) return;
  // Only employees can delete uploads.
  const message = isEmployee(ctx)
    ? 'Your uploads exceed your {quota} MB limit. Delete some you no longer use.'
    : 'Your images would exceed your {quota} MB limit. Upload smaller ones, or ask the site’s administrators.';
  throw new InvalidInput(message, { code: 'website.quota', params: { quota } });
}

/** Checks the quota before storing; serialises concurrent uploads of a user. */
async function reserveSpace(ctx: Ctx, more: number): Promise<void> {
  if (ctx.user.id !== null) await ctx.lock(User, [ctx.user.id]);
  await requireSpace(ctx, more);
}

/** First uploaded file of a form field, if any. */
export function firstUpload(files: Readonly<Record<string, readonly Upload[]>>, name: string): Upload | undefined {
  return files[name]?.[0];
}
