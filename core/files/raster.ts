import sharp, { type Metadata, type Sharp } from 'sharp';
import { InvalidInput } from '../base/index.ts';
import type { Box, ImageLimits, ServedType } from './types.ts';

// No picture is read twice, and how many are at work at once is bounded outside: libvips' own cache and threads only keep memory.
sharp.cache(false);
sharp.concurrency(1);

const MAX_PIXELS = 42_000_000;
/** No side may be longer: a 1 × 65 535 picture is small in pixels and still breaks every layout. */
const MAX_SIDE = 16_384;
/** Animations are kept up to here; longer ones keep their first picture. */
const MAX_FRAMES = 200;

/** A picture encoded anew: no metadata, no second meaning. */
export interface Raster {
  readonly content: Uint8Array;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
}

const kept: Readonly<Record<string, { mimetype: string; encode: (image: Sharp) => Sharp }>> = {
  jpeg: { mimetype: 'image/jpeg', encode: (image) => image.jpeg({ quality: 82, mozjpeg: true }) },
  png: { mimetype: 'image/png', encode: (image) => image.png({ compressionLevel: 9 }) },
  webp: { mimetype: 'image/webp', encode: (image) => image.webp({ quality: 82 }) },
  gif: { mimetype: 'image/gif', encode: (image) => image.gif() },
  heif: { mimetype: 'image/webp', encode: (image) => image.webp({ quality: 82 }) },
};

/** What is made of pictures, beside their own format; AVIF with the least work, which is smaller than WebP already. */
const served: Readonly<Record<string, (typeof kept)[string]>> = {
  ...kept,
  avif: { mimetype: 'image/avif', encode: (image) => image.avif({ quality: 50, effort: 2 }) },
};

type Region = Omit<NonNullable<ImageLimits['crop']>, 'aspect'>;

/**
 * Decodes a picture within bounds, crops and fits it, and encodes it anew.
 *
 * @throws InvalidInput for anything that is no raster image (SVG is none), is too large, or is damaged.
 */
export async function readRaster(content: Uint8Array, limits: ImageLimits): Promise<Raster> {
  const metadata = await inspect(content);
  const format = kept[metadata.format ?? ''];
  const { width, height } = oriented(metadata);
  if (!format) throw notAnImage();
  if (width * height > (limits.maxPixels ?? MAX_PIXELS) || width > MAX_SIDE || height > MAX_SIDE)
    throw tooLarge(limits);
  let image = open(content, metadata).autoOrient();
  const crop = cropWithin(limits.crop, width, height);
  if (crop) image = image.extract(crop);
  if (limits.fit) image = image.resize({ ...limits.fit, fit: 'inside', withoutEnlargement: true });
  return encode(image, format);
}

/** A smaller version that fits the box, in its own format, as WebP or as AVIF; the content must be one that {@link readRaster} made. */
export async function resizeRaster(content: Uint8Array, box: Box, type: ServedType | 'avif' = 'own'): Promise<Raster> {
  const metadata = await inspect(content);
  const format = type === 'own' ? kept[metadata.format ?? ''] : served[type];
  if (!format) throw notAnImage();
  return encode(open(content, metadata).resize({ ...box, fit: 'inside', withoutEnlargement: true }), format);
}

async function inspect(content: Uint8Array): Promise<Metadata> {
  // SVG and PDF are drawings that a renderer runs, with all a drawing may contain: never opened.
  if (!looksLikeRaster(content)) throw notAnImage();
  return sharp(content, { limitInputPixels: false }).metadata().catch(refuse);
}

function looksLikeRaster(content: Uint8Array): boolean {
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1');
  return /^(\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF....WEBP|....ftyp(avif|avis|heic|heix|mif1|msf1))/s.test(start);
}

function open(content: Uint8Array, metadata: Metadata): Sharp {
  const frames = metadata.pages ?? 1;
  const animated =
    frames > 1 && frames <= MAX_FRAMES && frames * oriented(metadata).width * oriented(metadata).height <= MAX_PIXELS;
  return sharp(content, { limitInputPixels: MAX_PIXELS, animated, failOn: 'error', sequentialRead: true });
}

async function encode(image: Sharp, format: { mimetype: string; encode: (image: Sharp) => Sharp }): Promise<Raster> {
  const { data, info } = await format
    .encode(image)
    .timeout({ seconds: 20 })
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  return { content: data, mimetype: format.mimetype, width: info.width, height: info.pageHeight ?? info.height };
}

function oriented(metadata: Metadata): { width: number; height: number } {
  const { width = 0, height = 0 } = metadata.autoOrient ?? metadata;
  return { width, height: metadata.pageHeight ?? height };
}

/** The part of the crop that lies in the picture, in its proportion; null when nothing is to be cut or nothing would be left. */
function cropWithin(crop: ImageLimits['crop'], pictureWidth: number, pictureHeight: number): Region | null {
  if (!crop || ![crop.left, crop.top, crop.width, crop.height].every(Number.isFinite)) return null;
  const left = Math.max(Math.round(crop.left), 0);
  const top = Math.max(Math.round(crop.top), 0);
  const width = Math.min(Math.round(crop.left + crop.width), pictureWidth) - left;
  const height = Math.min(Math.round(crop.top + crop.height), pictureHeight) - top;
  if (!(crop.width > 0 && crop.height > 0 && width > 0 && height > 0)) return null;
  return inProportion({ left, top, width, height }, crop.aspect);
}

/** The largest part of a region that has a proportion, from its middle; one that has it already stays as it is. */
function inProportion({ left, top, width, height }: Region, aspect = width / height): Region {
  const w = Math.max(1, Math.min(width, Math.round(height * aspect)));
  const h = Math.max(1, Math.min(height, Math.round(w / aspect)));
  return { left: left + Math.floor((width - w) / 2), top: top + Math.floor((height - h) / 2), width: w, height: h };
}

function notAnImage(cause?: unknown): InvalidInput {
  return new InvalidInput('Only image files can be uploaded', { code: 'core.not_an_image', cause });
}

function tooLarge(limits: ImageLimits): InvalidInput {
  const megapixels = Math.floor((limits.maxPixels ?? MAX_PIXELS) / 1_000_000);
  return new InvalidInput('The image is too large: at most {megapixels} million pixels and {side} on a side.', {
    code: 'core.image_too_large',
    params: { megapixels, side: MAX_SIDE },
  });
}

function refuse(error: unknown): never {
  throw notAnImage(error);
}
