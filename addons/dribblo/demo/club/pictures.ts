import { readFile } from 'node:fs/promises';
import type { Ctx, FileRef } from 'pergola';

/** Stores an image from the folder `pictures`. */
export async function picture(ctx: Ctx, name: string): Promise<FileRef> {
  const file = `${name}.png`;
  return ctx.files.putImage(await readFile(new URL(`pictures/${file}`, import.meta.url)), { name: file });
}
