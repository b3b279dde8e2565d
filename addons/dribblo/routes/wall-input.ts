import { InvalidInput, z } from 'pergola';
import { fromBase64 } from 'pergola/http';
import type { Photo } from '../services/walls.ts';
import { mark } from '../texts.ts';
import { recordNumber } from './inputs.ts';

const LONGEST_TEXT = 50_000;

const tooLong = mark('The title is too long: at most 160 letters.');

/** A title; empty for none, which is refused in the words of the specification and no others. */
export const title = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value.trim() : ''))
  .refine((text) => text.length <= 160, tooLong)
  .optional()
  .default('');

/** What somebody posts beside the title. */
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
    .number({ error: mark('This is no place in a picture.') })
    .min(-16_384)
    .max(16_384)
    .optional(),
);

/** The part of a picture that was chosen, in its own pixels. */
export const cropFields = { x1: pixels, y1: pixels, x2: pixels, y2: pixels, w: pixels, h: pixels };

export type CropInput = { readonly [K in keyof typeof cropFields]?: number | undefined };

/** The chosen part; null where nothing was chosen, or a part without width or height, which counts as none. */
export function cropOf({ x1, y1, x2, y2, w, h }: CropInput): Photo['crop'] {
  if (x1 === undefined || y1 === undefined) return null;
  const width = w ?? (x2 === undefined ? 0 : x2 - x1);
  const height = h ?? (y2 === undefined ? 0 : y2 - y1);
  if (!(width > 0 && height > 0)) return null;
  return { left: x1, top: y1, width, height };
}

/** The bytes of a picture in base64, with or without `data:image/…;base64,` before it; null for none. */
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
