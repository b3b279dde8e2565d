import { isPicture } from '@pergola/web/browser';
import { postForm, t } from 'pergola/browser';
import { orm } from './calls.ts';

/** Page sizes of the pickers: images in 2 rows of 6, files in lists. */
export const picturesPerRow = 6;
export const pictureRows = 2;
export const picturesPerPage = picturesPerRow * pictureRows;
export const filesPerPage = 30;
/** Milliseconds without typing before the pickers search. */
export const searchDelay = 250;

/** Image in the website's media library. */
export interface Picture {
  readonly id: number;
  readonly name: string;
  readonly website_url: string;
  readonly width: number | false;
  readonly height: number | false;
}

/** Downloadable file. */
export interface WebsiteFile {
  readonly id: number;
  readonly name: string;
  readonly datas_fname: string | false;
  readonly website_file_url: string;
  readonly website_file_count: number;
  readonly file_size: number;
  readonly write_date: string;
}

/** `{ <id>: records that still use it }`. */
export type UsedBy = Readonly<Record<string, readonly { id: number; name: string; website_url: string }[]>>;

const callAttachments = <T>(method: string, args: unknown[], kwargs: object = {}): Promise<T> =>
  orm<T>('ir.attachment', method, args, kwargs);

/** Returns a page of images whose name contains the text, newest first; `more` is true if there is a next page. */
export async function findPictures(needle: string, page: number): Promise<{ pictures: Picture[]; more: boolean }> {
  const domain = [
    ['res_model', '=', 'ir.ui.view'],
    '|',
    ['mimetype', '=', false],
    ['mimetype', '=like', 'image/%'],
    ...(needle === '' ? [] : ['|', ['name', 'ilike', needle], ['datas_fname', 'ilike', needle]]),
  ];
  const fields = ['name', 'website_url', 'width', 'height'];
  const rows = await callAttachments<Picture[]>('search_read', [], {
    domain,
    fields,
    order: 'id desc',
    offset: page * picturesPerPage,
    limit: picturesPerPage + 1,
  });
  return { pictures: rows.slice(0, picturesPerPage), more: rows.length > picturesPerPage };
}

/** Returns a page of files whose name contains the text, newest first. */
export async function findFiles(
  needle: string,
  page: number,
  only: readonly unknown[] = [],
): Promise<{ files: WebsiteFile[]; more: boolean }> {
  const domain = [['website_file', '=', true], ...only, ...(needle === '' ? [] : [['datas_fname', 'ilike', needle]])];
  const fields = ['name', 'write_date', 'datas_fname', 'website_file_url', 'website_file_count', 'file_size'];
  const rows = await callAttachments<WebsiteFile[]>('search_read', [], {
    domain,
    fields,
    order: 'write_date desc',
    offset: page * filesPerPage,
    limit: filesPerPage + 1,
  });
  return { files: rows.slice(0, filesPerPage), more: rows.length > filesPerPage };
}

/** Same as `findFiles`, for videos that browsers can play. */
export const findFilms: typeof findFiles = (needle, page) =>
  findFiles(needle, page, ['|', ['datas_fname', '=ilike', '%.mp4'], ['datas_fname', '=ilike', '%.webm']]);

/** Deletes an unused image or file; returns the records that still use it. */
export function removeMedia(id: number, kind: 'picture' | 'file'): Promise<UsedBy> {
  return callAttachments<UsedBy>(kind === 'picture' ? 'try_remove' : 'try_remove_file', [[id]]);
}

/** Response to an upload. */
export interface Uploaded {
  readonly id: number;
  readonly website_url: string;
  readonly name: string;
  readonly width?: number | null;
  readonly height?: number | null;
}

/** Types of media in the website's library; a film is a file that browsers can play. */
export type MediaKind = 'picture' | 'file' | 'film';

/** Maximum upload sizes in bytes; the server has its own limits. */
const largestUpload = { picture: 20 * 1024 * 1024, file: 50 * 1024 * 1024, film: 50 * 1024 * 1024 } as const;

/** Rejected upload, with a message for the user. */
class UploadError extends Error {
  override readonly name = 'UploadError';
}

/**
 * Uploads an image or file.
 *
 * @throws UploadError
 */
export async function upload(
  file: File,
  kind: MediaKind,
  more: Readonly<Record<string, string>> = {},
): Promise<Uploaded> {
  if (kind === 'picture' && !isPicture(file)) throw new UploadError(t('Only image files can be uploaded'));
  if (kind === 'film' && !/\.(mp4|webm)$/i.test(file.name)) throw new UploadError(t('Choose an MP4 or WebM video.'));
  if (file.size > largestUpload[kind]) {
    throw new UploadError(
      t('“{name}” is too large. The limit is {most} MB.', { name: file.name, most: largestUpload[kind] / 1024 / 1024 }),
    );
  }
  const path = kind === 'picture' ? '/website/attach' : '/website/attach_file';
  return read(await postForm(path, { upload: file, ...more }).catch(() => null));
}

/**
 * Keeps a copy of a file before it is deleted. Returns a function that restores it at a new address, since nothing uses the old one, or
 * null if there is nothing to copy.
 */
export async function copyOf(
  address: string,
  name: string,
  kind: 'picture' | 'file',
): Promise<(() => Promise<Uploaded>) | null> {
  // Images attached by URL have no file.
  if (kind === 'picture' && !isOurPicture(address)) return () => attachAddress(address);
  const answer = await fetch(address);
  if (!answer.ok) return null;
  const content = await answer.blob();
  return () => upload(new File([content], name, { type: content.type }), kind);
}

/** Returns whether an image was uploaded, and therefore has smaller versions. */
export function isOurPicture(address: string): boolean {
  return address.startsWith('/website/image/ir.attachment/');
}

/**
 * Attaches an image of this site by its URL.
 *
 * @throws UploadError
 */
export async function attachAddress(url: string): Promise<Uploaded> {
  if (url.trim() === '') throw new UploadError(t('You must enter a Image URL to insert'));
  return read(await postForm('/website/attach', { url }).catch(() => null));
}

async function read(answer: Response | null): Promise<Uploaded> {
  const body = (await answer?.json().catch(() => null)) as (Uploaded & { error?: string }) | null | undefined;
  if (body && !body.error && typeof body.id === 'number') return body;
  const tooLarge = answer?.status === 413 ? t('This file is too large. Choose a smaller one.') : null;
  throw new UploadError(body?.error ?? tooLarge ?? t('Failed to upload image'));
}

/** Attributes of an image in a text: its size, to avoid layout shifts, and smaller versions for small screens. */
export function pictureAttributes({
  website_url: src,
  width,
  height,
  name,
}: {
  website_url: string;
  width?: number | false | null;
  height?: number | false | null;
  name: string;
}): Record<string, string> {
  const alt = name
    .replace(/\.[a-z0-9]{2,5}$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  const size: Record<string, string> = width && height ? { width: String(width), height: String(height) } : {};
  return {
    src,
    alt: /^(img|dsc|image|screenshot|pxl)?\s*[\d\s]*$/i.test(alt) ? '' : alt,
    ...size,
    ...smaller(src, width),
  };
}

function smaller(src: string, width: number | false | null | undefined): Record<string, string> {
  if (!width || !src.startsWith('/website/image/ir.attachment/')) return {};
  const widths = [480, 960, 1920].filter((step) => step < width);
  if (widths.length === 0) return {};
  const set = [...widths.map((step) => `${src}/${step}x${step * 2} ${step}w`), `${src} ${width}w`];
  return { srcset: set.join(', '), sizes: '(min-width: 1200px) 1160px, 100vw' };
}
