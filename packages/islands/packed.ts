import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compressed, isCompressible } from '@pergola/core';
import mime from 'mime';

/** Smaller files fit into one packet anyway. */
const MIN_BYTES = 1_000;

/** Compressed bytes of a file by encoding, or null if compression isn't worth it. */
export interface Packed {
  readonly gzip: Buffer | null;
  readonly br: Buffer | null;
}

const unpacked: Packed = Object.freeze({ gzip: null, br: null });

/** The media type of a file by its name. */
export function typeOf(file: string): string {
  return mime.getType(file) ?? 'application/octet-stream';
}

/** Compresses a file during a request: well, but quickly. */
export function pack(plain: Buffer, type: string): Promise<Packed> {
  return packAt(plain, type, 9);
}

async function packAt(plain: Buffer, type: string, quality: number): Promise<Packed> {
  if (plain.length < MIN_BYTES || !isCompressible(type)) return unpacked;
  const [zipped, br] = await Promise.all([compressed(plain, 'gzip', 9), compressed(plain, 'br', quality)]);
  return { gzip: zipped, br };
}

/** Brotli's highest quality, 11, takes five times as long and saves 2 %. */
const BUILD_QUALITY = 10;

/** Writes compressed versions next to every file of a build, so that servers don't have to compress them. */
export async function packFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const { gzip: zipped, br } = await packAt(await readFile(file), typeOf(name), BUILD_QUALITY);
      if (zipped) await writeFile(`${file}.gz`, zipped);
      if (br) await writeFile(`${file}.br`, br);
    }),
  );
}

/** Compressed versions written by `packFolder`, or null if they don't exist. */
export async function readPacked(file: string): Promise<Packed | null> {
  const [zipped, br] = await Promise.all([`${file}.gz`, `${file}.br`].map((name) => readFile(name).catch(() => null)));
  return zipped && br ? { gzip: zipped, br } : null;
}
