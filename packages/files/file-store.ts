import { createHash } from 'node:crypto';
import { withoutControls } from '@pergola/content';
import { InvalidInput, Unavailable } from '@pergola/core';
import { Semaphore } from '@pergola/db';
import mime from 'mime';
import type { BlobStore } from './blob-store.ts';
import type { Raster } from './raster.ts';
import { GRACE_MS } from './sweep.ts';
import type { Box, FileRef, FileStore, ImageLimits, ServedType, Smallest, StoredFile, UploadLimits } from './types.ts';
import { UnusedUploads, type Uploader } from './unused-uploads.ts';
import { UsedSpace } from './used-space.ts';

/** Number of images processed at the same time. */
const IMAGE_JOBS = 2;
/**
 * Limits for large image uploads in progress or waiting, per user or network and in total: more would keep other requests, such as orders,
 * waiting.
 */
const MAX_UPLOADS_PER_USER = 8;
const MAX_UPLOADS = 40;
/** Smaller images take milliseconds. */
const LARGE_PIXELS = 2_000_000;
/** Types that WebP improves on. GIFs may be animated, and WebP needs no conversion. */
const WEBP_SMALLER: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
/** An image of this size requested in full is served as stored: it is used as a download, and converting it would take seconds. */
const CONVERTED_PIXELS = 8_000_000;
/** Larger images take seconds to encode as AVIF. */
const AVIF_PIXELS = 2_000_000;
/** Length of the AVIF queue; further images are queued when they are requested again. */
const MAX_WAITING = 500;
/** Maximum width and height of a WebP. */
const WEBP_SIDE = 16_383;

/** State shared by the stores of all users. */
interface Shared {
  readonly images: Semaphore;
  /** Large image uploads in progress or waiting, by uploader. */
  readonly uploads: Map<Uploader, number>;
  /** Low-priority work, one image at a time. */
  readonly background: Semaphore;
  /** Background conversions in progress, by the name of their record. */
  readonly making: Set<string>;
  readonly unused: UnusedUploads;
  readonly space: UsedSpace;
}

interface StoredUpload {
  readonly file: FileRef;
  readonly isNew: boolean;
}

/** Uploader whose uploads a store counts and limits. */
interface Person {
  readonly shared: Shared;
  readonly uploader: Uploader;
  readonly limits: (() => Promise<UploadLimits>) | null;
}

/** Files by content hash, on top of a blob store. The image library is loaded with the first image: it takes 10 MB. */
export class HashedFileStore implements FileStore {
  readonly #blobs: BlobStore;
  readonly #shared: Shared;
  /** null: the site itself. */
  readonly #person: Person | null;

  constructor(blobs: BlobStore, person: Person | null = null) {
    this.#blobs = blobs;
    this.#shared = person?.shared ?? {
      images: new Semaphore(IMAGE_JOBS),
      uploads: new Map(),
      background: new Semaphore(1),
      making: new Set(),
      unused: new UnusedUploads(GRACE_MS),
      space: new UsedSpace(blobs),
    };
    this.#person = person;
  }

  of(uploader: Uploader | null, limits: (() => Promise<UploadLimits>) | null = null): FileStore {
    if (uploader === null) return this;
    return new HashedFileStore(this.#blobs, { shared: this.#shared, uploader, limits });
  }

  usedBytes(): Promise<number> {
    return this.#shared.space.bytes();
  }

  used(hash: string): void {
    this.#shared.unused.used(hash);
  }

  async put(content: Uint8Array, metadata: { name?: string; mimetype?: string } = {}): Promise<FileRef> {
    const name = metadata.name === undefined ? undefined : plainName(metadata.name);
    return this.#counted(content.byteLength, async () => {
      const { fileTypeFromBuffer } = await import('file-type');
      const detected = await fileTypeFromBuffer(content);
      // The content determines the type; the sender's type is used only if the content has no signature (text formats).
      const mimetype = detected?.mime ?? mime.getType(name ?? '') ?? metadata.mimetype ?? 'application/octet-stream';
      return this.#keep(content, { mimetype, name });
    });
  }

  async putImage(content: Uint8Array, options: { name?: string; field?: string } & ImageLimits = {}): Promise<FileRef> {
    const { name, field, ...limits } = options;
    try {
      return await this.#counted(content.byteLength, async () => {
        const { pixelsOf, readRaster } = await import('./raster.ts');
        const isLarge = (await pixelsOf(content)) > LARGE_PIXELS;
        const raster = await this.#inTurn(isLarge, () => readRaster(content, limits));
        return this.#keepRaster(raster, name === undefined ? undefined : plainName(name));
      });
    } catch (error) {
      if (field === undefined || !(error instanceof InvalidInput)) throw error;
      const { code, title, message, params } = error;
      throw new InvalidInput(message, { code, title, params, cause: error, fields: { [field]: message } });
    }
  }

  async get(hash: string): Promise<Uint8Array | null> {
    return isHash(hash) ? this.#blobs.get(blobName(hash)) : null;
  }

  async open(hash: string): Promise<StoredFile | null> {
    return isHash(hash) ? this.#blobs.open(blobName(hash)) : null;
  }

  async resized(file: FileRef, box: Box, type: ServedType = 'own'): Promise<FileRef> {
    if (!file.width) return file;
    const fits = fitsIn(file, box);
    const as = type === 'webp' && canBeWebp(file, box) ? type : 'own';
    if (fits && (as === 'own' || isHuge(file))) return file;
    const note = noteOf(file, box, as);
    // Checked again after waiting: many visitors request a new image at once.
    return (
      (await this.#noted(note)) ??
      this.#shared.images.run(
        async () => (await this.#noted(note)) ?? this.#made(note, file, boxOf(file, box), as, fits ? file : null),
      )
    );
  }

  async smallest(file: FileRef, box: Box): Promise<Smallest> {
    const { width, height } = sizeOf(file);
    const pixels = Math.min(width, box.width) * Math.min(height, box.height);
    if (!file.width || !canBeWebp(file, box) || pixels > AVIF_PIXELS)
      return { file: await this.resized(file, box, 'webp'), isPending: false };
    const note = noteOf(file, box, 'avif');
    const avif = await this.#noted(note);
    if (avif) return { file: avif, isPending: false };
    const meanwhile = await this.resized(file, box, 'webp');
    this.#makeLater(note, () => this.#made(note, file, boxOf(file, box), 'avif', meanwhile));
    return { file: meanwhile, isPending: true };
  }

  /**
   * Converts an image in the background unless that is already in progress. Failed and surplus conversions are retried on the next request.
   */
  #makeLater(note: string, make: () => Promise<FileRef>): void {
    const { background, making } = this.#shared;
    if (making.has(note) || making.size >= MAX_WAITING) return;
    making.add(note);
    void background
      .run(async () => (await this.#noted(note)) ?? make())
      .catch(() => {})
      .finally(() => making.delete(note));
  }

  async #noted(note: string): Promise<FileRef | null> {
    const record = await this.#blobs.get(note);
    return record && (JSON.parse(Buffer.from(record).toString('utf8')) as FileRef);
  }

  /** @param orElse served instead if it is no larger */
  async #made(
    note: string,
    file: FileRef,
    box: Box,
    type: ServedType | 'avif',
    orElse: FileRef | null,
  ): Promise<FileRef> {
    const content = await this.get(file.hash);
    if (!content) throw new InvalidInput('This image no longer exists.', { code: 'core.file_gone' });
    const { resizeRaster } = await import('./raster.ts');
    const raster = await resizeRaster(content, box, type);
    const isWorth = orElse === null || raster.content.byteLength < orElse.size;
    const result = isWorth ? (await this.#keepRaster(raster, file.name)).file : orElse;
    await this.#blobs.put(note, Buffer.from(JSON.stringify(result)));
    return result;
  }

  /** @throws Unavailable for a large upload if too many are waiting already */
  async #inTurn<T>(isLarge: boolean, work: () => Promise<T>): Promise<T> {
    const { images, uploads } = this.#shared;
    if (this.#person === null || !isLarge) return images.run(work);
    const { uploader } = this.#person;
    const ownUploads = uploads.get(uploader) ?? 0;
    const all = uploads.values().reduce((sum, count) => sum + count, 0);
    if (ownUploads >= MAX_UPLOADS_PER_USER || all >= MAX_UPLOADS) throw busy();
    uploads.set(uploader, ownUploads + 1);
    try {
      return await images.run(work);
    } finally {
      const remaining = (uploads.get(uploader) ?? 1) - 1;
      if (remaining > 0) uploads.set(uploader, remaining);
      else uploads.delete(uploader);
    }
  }

  /** Checks the limits before the file is decoded, since decoding takes work too. */
  async #counted(bytes: number, store: () => Promise<StoredUpload>): Promise<FileRef> {
    if (this.#person === null) return (await store()).file;
    const { shared, uploader } = this.#person;
    const limits = await this.#person.limits?.();
    const storeWithinLimits = limits ? () => shared.space.keep(bytes, limits, store) : store;
    return shared.unused.count(uploader, bytes, storeWithinLimits);
  }

  #keepRaster({ content, mimetype, width, height }: Raster, name: string | undefined): Promise<StoredUpload> {
    return this.#keep(content, { mimetype, name, width, height });
  }

  async #keep(content: Uint8Array, metadata: Omit<FileRef, 'hash' | 'size'>): Promise<StoredUpload> {
    const hash = createHash('sha256').update(content).digest('hex');
    const isNew = !(await this.#blobs.has(blobName(hash)));
    if (isNew) await this.#blobs.put(blobName(hash), content);
    return { file: Object.freeze({ hash, size: content.byteLength, ...metadata }), isNew };
  }
}

function busy(): Unavailable {
  return new Unavailable('Too many images are being processed right now. Try again in a minute.', {
    code: 'core.images_busy',
    retryAfter: 30,
  });
}

/** Whether an image fits into a box unscaled. */
function fitsIn(file: FileRef, box: Box): boolean {
  const { width, height } = sizeOf(file);
  return width <= box.width && height <= box.height;
}

/** Target box of a conversion: all boxes larger than the image give the same result. */
function boxOf(file: FileRef, box: Box): Box {
  return fitsIn(file, box) ? sizeOf(file) : box;
}

/** Name of the record of a converted image. */
function noteOf(file: FileRef, box: Box, type: ServedType | 'avif'): string {
  const size = fitsIn(file, box) ? '' : `-${box.width}x${box.height}`;
  return `derived/${file.hash.slice(0, 2)}/${file.hash}${size}${type === 'own' ? '' : `-${type}`}.json`;
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

/** File name that is safe to show and offer: without folders, control and direction characters, 200 characters at most. */
export function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = withoutControls(last.normalize('NFC'))
    .replace(/["<>|:*?]/g, '')
    .replace(/^\.+/, '')
    .trim();
  if (plain.length <= 200) return plain || 'file';
  const dot = plain.lastIndexOf('.');
  const ending = dot > plain.length - 12 ? plain.slice(dot) : '';
  return plain.slice(0, 200 - ending.length) + ending;
}
