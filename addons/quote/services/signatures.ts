import { Documents } from '@pergola/sale';
import { app, type FileRef, service } from 'pergola';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';

/** Maximum size of a signature picture, in bytes and pixels. */
const SIGNATURE_BYTES = 700_000;
const SIGNATURE_PIXELS = 4_000_000;
/** Minimum number of pixels that differ from the background; with fewer, the drawing counts as blank. */
const INK = 24;

/** Pictures of customers' signatures. */
export class Signatures extends service('quote.signatures', { ctx: app.ctx, documents: Documents }) {
  /**
   * Stores a drawn signature: a base64 PNG from a browser's canvas, with or without `data:image/png;base64,`. Flattens it on a white
   * background and drops everything else in the file. Returns null if it isn't a PNG, is too large, or is blank. Slow: call it outside of
   * transactions.
   */
  async take(sign: unknown): Promise<FileRef | null> {
    const content = bytesOf(sign);
    if (!content || !(await hasInk(content))) return null;
    const clean = await (await pictureOf(content, { limitInputPixels: SIGNATURE_PIXELS }))
      .flatten({ background: '#ffffff' })
      .resize({ width: 900, height: 400, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
    return this.ctx.files.putImage(clean, { name: 'signature.png' });
  }

  /**
   * Draws a typed name, in any script, so that every signature is a picture. Returns null if the name has no visible characters. Slow: call
   * it outside of transactions.
   */
  async draw(name: string): Promise<FileRef | null> {
    const drawing = await pictureOf(Buffer.from(await this.documents.drawing(name)));
    const png = await drawing
      .resize({ width: 860, height: 160, fit: 'inside' })
      .flatten({ background: '#ffffff' })
      .extend({ top: 20, bottom: 20, left: 20, right: 20, background: '#ffffff' })
      .png()
      .toBuffer();
    return (await hasInk(png)) ? this.ctx.files.putImage(png, { name: 'signature.png' }) : null;
  }
}

function bytesOf(sign: unknown): Buffer | null {
  if (typeof sign !== 'string') return null;
  // Older clients send the text as a JSON string.
  const text = sign.replace(/^"|"$/g, '').replace(/^data:image\/png;base64,/, '');
  if (text.length > SIGNATURE_BYTES * 1.4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const content = Buffer.from(text, 'base64');
  const isPng = content.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  return isPng && content.length <= SIGNATURE_BYTES ? content : null;
}

/** Loads the library on first use, to keep it out of startup. */
async function pictureOf(input: SharpInput, options: SharpOptions = {}): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(input, options);
}

/** Whether the picture differs from its background, the colour of the first corner. */
async function hasInk(content: Buffer): Promise<boolean> {
  try {
    const { data, info } = await (await pictureOf(content, { limitInputPixels: SIGNATURE_PIXELS }))
      .flatten({ background: '#ffffff' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const ground = data[0] ?? 255;
    let inkPixels = 0;
    for (let offset = 0; offset < data.length; offset += info.channels) {
      if (Math.abs((data[offset] ?? ground) - ground) > 40) inkPixels += 1;
      if (inkPixels >= INK) return true;
    }
    return false;
  } catch {
    // Not a valid picture despite its first bytes, or one crafted to exhaust resources.
    return false;
  }
}
