import { createHash } from 'node:crypto';
import mime from 'mime';
import { InvalidInput, Semaphore } from '../base/index.ts';
import type { BlobStore } from './blob-store.ts';
import type { Raster } from './raster.ts';
import { GRACE_MS } from './sweep.ts';
import type { Box, FileRef, FileStore, ImageLimits, ServedType, StoredFile, UploadLimits } from './types.ts';
import { UnusedUploads, type Uploader } from './unused-uploads.ts';
import { UsedSpace } from './used-space.ts';

/** At most so many pictures are worked on at once. */
const IMAGE_JOBS = 2;
/** What WebP is smaller than. GIFs may move, and WebP is WebP. */
const WEBP_SMALLER: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
/** A whole picture larger than this is served as it is: it is asked for as a file, and converting it would take seconds. */
const CONVERTED_PIXELS = 8_000_000;
/** No side of a WebP is longer. */
const WEBP_SIDE = 16_383;

interface StoredUpload {
  readonly file: FileRef;
  readonly isNew: boolean;
}

/** What stores for different people share, and whose this one is. */
interface Shared {
  readonly images: Semaphore;
  readonly unused: UnusedUploads;
  readonly space: UsedSpace;
  readonly whose: Uploader;
  readonly limits: (() => Promise<UploadLimits>) | null;
}

/** Files by the hash of their content, over a place that keeps bytes. What reads pictures is loaded with the first one: it takes 10 MB. */
export class HashedFileStore implements FileStore {
  readonly #blobs: BlobStore;
  readonly #images: Semaphore;
  readonly #unused: UnusedUploads;
  readonly #whose: Uploader | null;
  readonly #space: UsedSpace;
  readonly #limits: (() => Promise<UploadLimits>) | null;

  constructor(blobs: BlobStore, shared: Shared | null = null) {
    this.#blobs = blobs;
    this.#images = shared?.images ?? new Semaphore(IMAGE_JOBS);
    this.#unused = shared?.unused ?? new UnusedUploads(GRACE_MS);
    this.#whose = shared?.whose ?? null;
    this.#space = shared?.space ?? new UsedSpace(blobs);
    this.#limits = shared?.limits ?? null;
  }

  of(whose: Uploader | null, limits: (() => Promise<UploadLimits>) | null = null): FileStore {
    if (whose === null) return this;
    const { images, unused, space } = { images: this.#images, unused: this.#unused, space: this.#space };
    return new HashedFileStore(this.#blobs, { images, unused, space, whose, limits });
  }

  usedBytes(): Promise<number> {
    return this.#space.bytes();
  }

  used(hash: string): void {
    this.#unused.used(hash);
  }

  async put(content: Uint8Array, about: { name?: string; mimetype?: string } = {}): Promise<FileRef> {
    const name = about.name === undefined ? undefined : plainName(about.name);
    return this.#counted(content.byteLength, async () => {
      const { fileTypeFromBuffer } = await import('file-type');
      const found = await fileTypeFromBuffer(content);
      // The content decides; the sender's word only where the content says nothing (text formats).
      const mimetype = found?.mime ?? mime.getType(name ?? '') ?? about.mimetype ?? 'application/octet-stream';
      return this.#keep(content, { mimetype, name });
    });
  }

  async putImage(content: Uint8Array, about: { name?: string } & ImageLimits = {}): Promise<FileRef> {
    const { name, ...limits } = about;
    return this.#counted(content.byteLength, async () => {
      const { readRaster } = await import('./raster.ts');
      const raster = await this.#images.run(() => readRaster(content, limits));
      return this.#keepRaster(raster, name === undefined ? undefined : plainName(name));
    });
  }

  async get(hash: string): Promise<Uint8Array | null> {
    return isHash(hash) ? this.#blobs.get(blobName(hash)) : null;
  }

  async open(hash: string): Promise<StoredFile | null> {
    return isHash(hash) ? this.#blobs.open(blobName(hash)) : null;
  }

  async resized(file: FileRef, box: Box, type: ServedType = 'own'): Promise<FileRef> {
    if (!file.width) return file;
    const fits = file.width <= box.width && (file.height ?? 0) <= box.height;
    const as = type === 'webp' && canBeWebp(file, box) ? type : 'own';
    if (fits && (as === 'own' || isHuge(file))) return file;
    // What fits is the same in every larger box.
    const size = fits ? '' : `-${box.width}x${box.height}`;
    const note = `derived/${file.hash.slice(0, 2)}/${file.hash}${size}${as === 'own' ? '' : `-${as}`}.json`;
    // Asked again when it is its turn: many ask at once for a picture that is new.
    return (
      (await this.#noted(note)) ??
      this.#images.run(
        async () => (await this.#noted(note)) ?? this.#made(note, file, fits ? sizeOf(file) : box, as, fits),
      )
    );
  }

  async #noted(note: string): Promise<FileRef | null> {
    const known = await this.#blobs.get(note);
    return known && (JSON.parse(Buffer.from(known).toString('utf8')) as FileRef);
  }

  async #made(note: string, file: FileRef, box: Box, type: ServedType, ifSmaller: boolean): Promise<FileRef> {
    const content = await this.get(file.hash);
    if (!content) throw new InvalidInput('The picture is no longer there.', { code: 'core.file_gone' });
    const { resizeRaster } = await import('./raster.ts');
    const raster = await resizeRaster(content, box, type);
    const isWorth = !ifSmaller || raster.content.byteLength < file.size;
    const made = isWorth ? (await this.#keepRaster(raster, file.name)).file : file;
    await this.#blobs.put(note, Buffer.from(JSON.stringify(made)));
    return made;
  }

  /** What is asked of before it is decoded, since that is work too. */
  async #counted(bytes: number, store: () => Promise<StoredUpload>): Promise<FileRef> {
    if (this.#whose === null) return (await store()).file;
    const limits = await this.#limits?.();
    const kept = limits ? () => this.#space.keep(bytes, limits, store) : store;
    return this.#unused.count(this.#whose, bytes, kept);
  }

  #keepRaster({ content, mimetype, width, height }: Raster, name: string | undefined): Promise<StoredUpload> {
    return this.#keep(content, { mimetype, name, width, height });
  }

  async #keep(content: Uint8Array, about: Omit<FileRef, 'hash' | 'size'>): Promise<StoredUpload> {
    const hash = createHash('sha256').update(content).digest('hex');
    const isNew = !(await this.#blobs.has(blobName(hash)));
    if (isNew) await this.#blobs.put(blobName(hash), content);
    return { file: Object.freeze({ hash, size: content.byteLength, ...about }), isNew };
  }
}

function sizeOf({ width = 0, height = 0 }: FileRef): Box {
  return { width, height };
}

function isHuge(file: FileRef): boolean {
  const { width, height } = sizeOf(file);
  return width * height > CONVERTED_PIXELS;
}

function canBeWebp(file: FileRef, box: Box): boolean {
  const { width, height } = sizeOf(file);
  const longest = Math.max(Math.min(width, box.width), Math.min(height, box.height));
  return WEBP_SMALLER.has(file.mimetype) && longest <= WEBP_SIDE;
}

function isHash(hash: string): boolean {
  return /^[0-9a-f]{64}$/.test(hash);
}

function blobName(hash: string): string {
  return `files/${hash.slice(0, 2)}/${hash}`;
}

/** A file name as it may be shown and offered: without folders, control and direction characters, 200 characters at most. */
export function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>|:*?]/gu, '')
    .replace(/^\.+/, '')
    .trim();
  if (plain.length <= 200) return plain || 'file';
  const dot = plain.lastIndexOf('.');
  const ending = dot > plain.length - 12 ? plain.slice(dot) : '';
  return plain.slice(0, 200 - ending.length) + ending;
}
