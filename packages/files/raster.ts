import { InvalidInput } from '@pergola/core';
import { isOutOfMemory, outOfMemory } from '@pergola/db';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Box, ImageLimits, ServedType } from './types.ts';

// Images are never read twice, and concurrency is limited elsewhere, so the cache and threads of libvips would only use memory.
sharp.cache(false);
sharp.concurrency(1);

/** 50-megapixel phones take photos of up to 50.4 million pixels. */
const MAX_PIXELS = 52_000_000;
/** In bytes; image headers can be longer, since phones write a preview first. */
const MIN_IMAGE_BYTES = 512;
/** Limit for each side: a 1 × 65 535 image has few pixels and still breaks every layout. */
const MAX_SIDE = 16_384;
/** Frame limit for animations; longer ones keep only their first frame. */
const MAX_FRAMES = 200;

/** Images from this size are encoded in the way that takes the least memory. */
const HUGE_PIXELS = 20_000_000;
/** Encoding 50 megapixels takes several seconds on an idle machine. */
const MAX_SECONDS = 60;

/** A re-encoded image: no metadata, no hidden content. */
export interface Raster {
  readonly content: Uint8Array;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
}

const formats: Readonly<Record<string, { mimetype: string; encode: (image: Sharp, isHuge: boolean) => Sharp }>> = {
  // The smaller encoding keeps the whole image in memory several times.
  jpeg: { mimetype: 'image/jpeg', encode: (image, isHuge) => image.jpeg({ quality: 82, mozjpeg: !isHuge }) },
  png: { mimetype: 'image/png', encode: (image) => image.png({ compressionLevel: 9 }) },
  webp: { mimetype: 'image/webp', encode: (image) => image.webp({ quality: 82 }) },
  gif: { mimetype: 'image/gif', encode: (image) => image.gif() },
  heif: { mimetype: 'image/webp', encode: (image) => image.webp({ quality: 82 }) },
};

/** Output formats besides the original one. AVIF at low effort is already smaller than WebP. */
const served: Readonly<Record<string, (typeof formats)[string]>> = {
  ...formats,
  avif: { mimetype: 'image/avif', encode: (image) => image.avif({ quality: 50, effort: 2 }) },
};

type Region = Omit<NonNullable<ImageLimits['crop']>, 'aspect'>;

/**
 * Decodes an image within limits, crops, resizes and re-encodes it.
 *
 * @throws InvalidInput if it isn't a raster image (SVG isn't one), has a format that browsers can't show, is too large, or is damaged
 */
export async function readRaster(content: Uint8Array, limits: ImageLimits): Promise<Raster> {
  const metadata = await inspect(content);
  // iPhone photos become JPEGs, like photos of other phones.
  const isPhoto = metadata.compression === 'hevc' && !metadata.hasAlpha;
  const format = formats[isPhoto ? 'jpeg' : (metadata.format ?? '')];
  const { width, height } = oriented(metadata);
  if (!format) throw notAnImage();
  if (width * height > (limits.maxPixels ?? MAX_PIXELS) || width > MAX_SIDE || height > MAX_SIDE)
    throw tooLarge(limits);
  let image = (await decode(content, metadata)).autoOrient();
  const crop = cropWithin(limits.crop, width, height);
  if (crop) image = image.extract(crop);
  if (limits.fit) image = image.resize({ ...limits.fit, fit: 'inside', withoutEnlargement: true });
  return encode(image, format, !limits.fit && width * height > HUGE_PIXELS);
}

/**
 * Number of pixels of an image, with all its frames; estimates the work of {@link readRaster} in advance.
 *
 * @throws InvalidInput if it isn't a raster image or is damaged
 */
export async function pixelsOf(content: Uint8Array): Promise<number> {
  const { width = 0, height = 0, pages = 1, pageHeight } = await inspect(content);
  return width * (pageHeight === undefined ? height : pageHeight * pages);
}

/** A smaller version that fits the box, in the image's own format, as WebP or as AVIF; the content must come from {@link readRaster}. */
export async function resizeRaster(content: Uint8Array, box: Box, type: ServedType | 'avif' = 'own'): Promise<Raster> {
  const metadata = await inspect(content);
  const format = type === 'own' ? formats[metadata.format ?? ''] : served[type];
  if (!format) throw notAnImage();
  return encode(open(content, metadata).resize({ ...box, fit: 'inside', withoutEnlargement: true }), format);
}

async function inspect(content: Uint8Array): Promise<Metadata> {
  // SVG and PDF are programs for a renderer and may contain anything, so they are never opened.
  if (!looksLikeRaster(content)) throw await notUsable(content);
  return sharp(content, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      // A few bytes that start like an image were never a complete one.
      if (content.byteLength < MIN_IMAGE_BYTES) throw notAnImage();
      return refuse(error);
    });
}

/** Opens an image; iPhone photos need a separate decoder. */
async function decode(content: Uint8Array, metadata: Metadata): Promise<Sharp> {
  if (metadata.compression !== 'hevc') return open(content, metadata);
  const { decodeHeic } = await import('./heic.ts');
  const png = await decodeHeic(content, MAX_PIXELS, metadata).catch(refuse);
  return open(png, { ...metadata, pages: 1 });
}

function looksLikeRaster(content: Uint8Array): boolean {
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1');
  return /^(\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF....WEBP|....ftyp(avif|avis|heic|heix|mif1|msf1))/s.test(start);
}

function open(content: Uint8Array, metadata: Metadata): Sharp {
  const frames = metadata.pages ?? 1;
  const animated =
    /^(gif|webp)$/.test(metadata.format ?? '') &&
    frames > 1 &&
    frames <= MAX_FRAMES &&
    frames * oriented(metadata).width * oriented(metadata).height <= MAX_PIXELS;
  // Other formats contain several images that aren't frames; only the primary one counts.
  const page = animated ? 0 : (metadata.pagePrimary ?? 0);
  return sharp(content, { limitInputPixels: MAX_PIXELS, animated, page, failOn: 'error', sequentialRead: true });
}

async function encode(image: Sharp, format: (typeof formats)[string], isHuge = false): Promise<Raster> {
  const { data, info } = await format
    .encode(image, isHuge)
    .timeout({ seconds: MAX_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  return { content: data, mimetype: format.mimetype, width: info.width, height: info.pageHeight ?? info.height };
}

function oriented(metadata: Metadata): { width: number; height: number } {
  const { width = 0, height = 0 } = metadata.autoOrient ?? metadata;
  return { width, height: metadata.pageHeight ?? height };
}

/** Part of the crop that lies within the image, in its aspect ratio. Null if nothing is cut off or nothing would be left. */
function cropWithin(crop: ImageLimits['crop'], pictureWidth: number, pictureHeight: number): Region | null {
  if (!crop || ![crop.left, crop.top, crop.width, crop.height].every(Number.isFinite)) return null;
  const left = Math.max(Math.round(crop.left), 0);
  const top = Math.max(Math.round(crop.top), 0);
  const width = Math.min(Math.round(crop.left + crop.width), pictureWidth) - left;
  const height = Math.min(Math.round(crop.top + crop.height), pictureHeight) - top;
  if (!(crop.width > 0 && crop.height > 0 && width > 0 && height > 0)) return null;
  return inProportion({ left, top, width, height }, crop.aspect);
}

/** Largest centred part of a region with an aspect ratio; a region that already has it is unchanged. */
function inProportion({ left, top, width, height }: Region, aspect = width / height): Region {
  const w = Math.max(1, Math.min(width, Math.round(height * aspect)));
  const h = Math.max(1, Math.min(height, Math.round(w / aspect)));
  return { left: left + Math.floor((width - w) / 2), top: top + Math.floor((height - h) / 2), width: w, height: h };
}

function notAnImage(): InvalidInput {
  return new InvalidInput('Only image files can be uploaded', { code: 'core.not_an_image' });
}

function tooLarge(limits: ImageLimits): InvalidInput {
  const megapixels = Math.floor((limits.maxPixels ?? MAX_PIXELS) / 1_000_000);
  return new InvalidInput(
    'This image is too large. The limits are {megapixels} megapixels and {side} pixels per side.',
    {
      code: 'core.image_too_large',
      params: { megapixels, side: MAX_SIDE },
    },
  );
}

/** Error for an image format that browsers can't show, or for a file that isn't an image. */
async function notUsable(content: Uint8Array): Promise<InvalidInput> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(content).catch(() => undefined);
  if (!type?.mime.startsWith('image/')) return notAnImage();
  return new InvalidInput(
    '{format} images can’t be shown on websites. Save the image as JPEG or PNG and upload it again.',
    { code: 'core.image_format', params: { format: type.ext === 'tif' ? 'TIFF' : type.ext.toUpperCase() } },
  );
}

function refuse(error: unknown): never {
  if (isOutOfMemory(error)) throw outOfMemory(error);
  if (error instanceof Error && /timeout/i.test(error.message)) {
    const message = 'This image takes too long to process. Make it smaller and upload it again.';
    throw new InvalidInput(message, { code: 'core.image_too_slow', cause: error });
  }
  const message = 'This image is damaged or incomplete. Open it, save it again as JPEG or PNG, and upload it.';
  throw new InvalidInput(message, { code: 'core.image_damaged', cause: error });
}
