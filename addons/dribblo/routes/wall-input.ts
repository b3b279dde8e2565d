import { InvalidInput, z } from 'pergola';
import { fromBase64 } from 'pergola/http';
import type { Photo } from '../services/walls.ts';
import { mark } from '../texts.ts';
import { recordNumber } from './inputs.ts';

const LONGEST_TEXT = 50_000;

const tooLong = mark('The title is too long. Use up to 160 characters.');

/** Title of a post; an empty one is rejected later with the message from the specification. */
export const title = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value.trim() : ''))
  .refine((text) => text.length <= 160, tooLong)
  .optional()
  .default('');

/** Form fields of a post besides the title. */
export const postFields = {
  wall_id: recordNumber,
  descr: z
    .string()
    .max(LONGEST_TEXT, 'The text is too long.')
    .nullish()
    .transform((text) => text ?? ''),
};

const pixels = z.preprocess(
  (value) => (value === '' || value === null || value === undefined || value === false ? undefined : value),
  z.coerce
    .number({ error: mark('Select an area inside the image.') })
    .min(-16_384)
    .max(16_384)
    .optional(),
);

/** Selected area of an image, in image pixels. */
export const cropFields = { x1: pixels, y1: pixels, x2: pixels, y2: pixels, w: pixels, h: pixels };

export type CropInput = { readonly [K in keyof typeof cropFields]?: number | undefined };

/** Returns the selected area; null without a selection, or if its width or height is 0. */
export function cropOf({ x1, y1, x2, y2, w, h }: CropInput): Photo['crop'] {
  if (x1 === undefined || y1 === undefined) return null;
  const width = w ?? (x2 === undefined ? 0 : x2 - x1);
  const height = h ?? (y2 === undefined ? 0 : y2 - y1);
  if (!(width > 0 && height > 0)) return null;
  return { left: x1, top: y1, width, height };
}

/** Decodes a base64 image, with or without a `data:image/…;base64,` prefix; null for an empty value. */
export function bytesOf(image: string | false | null | undefined): Uint8Array | null {
  if (!image) return null;
  const content = fromBase64(image.replace(/^data:[\w/+.-]{0,100};base64,/, ''));
  if (!content?.length) {
    throw new InvalidInput('Only image files can be uploaded', {
      code: 'dribblo.not_an_image',
      fields: { image: 'Only image files can be uploaded' },
    });
  }
  return content;
}
