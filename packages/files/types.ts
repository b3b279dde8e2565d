import type { Readable } from 'node:stream';
import { value } from '@pergola/core';
import type { Uploader } from './unused-uploads.ts';

/** A file of the filestore as a field holds it: its content's hash and what is known of it. */
export interface FileRef {
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  readonly mimetype: string;
  /** In bytes. */
  readonly size: number;
  /** As it was called when it came in, without a path. */
  readonly name?: string;
  /** Images only, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** A file that is there, of which nothing has been read yet. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** The bytes from one place to another, both included, as fast as they are taken. Nothing is read before somebody does. */
  read(start: number, end: number): Readable;
}

/** Pixels that a picture has to fit into. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** What a picture is served as at once: as it was kept, or as WebP, which browsers take and mail programs may not. */
export type ServedType = 'own' | 'webp';

/** A picture in the smallest form there is by now. */
export interface Smallest {
  readonly file: FileRef;
  /** Whether a smaller one is being made, which is served next time. */
  readonly isPending: boolean;
}

/** Bounds of a picture that comes in, and what becomes of it. */
export interface ImageLimits {
  /** Width times height; default 52 million. */
  maxPixels?: number;
  /** Fits the picture into this box, keeping its shape. */
  fit?: { width: number; height: number };
  /**
   * Cuts this part out first, in pixels of the original: what of it lies in the picture, and with an `aspect` (width by height) the largest part of that
   * shape. Zero sizes are ignored.
   */
  crop?: { left: number; top: number; width: number; height: number; aspect?: number };
}

/** How much people may bring, in bytes; null: as much as the kind of upload allows. */
export interface UploadLimits {
  readonly file: number | null;
  /** Of all files together. */
  readonly total: number | null;
}

/**
 * Files by content. Putting is done before a transaction: an orphan is harmless and swept later; a row never names a file that
 * is not there. In a context it is the user's, or the visitor's network's: too much that no record names is refused.
 */
export interface FileStore {
  /** Keeps any file as it is. The type is found from the content, then the name. */
  put(content: Uint8Array, about?: { name?: string; mimetype?: string }): Promise<FileRef>;
  /** Decodes, bounds, re-encodes without metadata and keeps a raster image. Throws InvalidInput if it is none, or can't be read. */
  putImage(content: Uint8Array, about?: { name?: string } & ImageLimits): Promise<FileRef>;
  /** The whole content in memory, or null when it is gone; for what is worked on. What is only handed on is opened. */
  get(hash: string): Promise<Uint8Array | null>;
  /** The file to be read piece by piece, or null when it is gone. */
  open(hash: string): Promise<StoredFile | null>;
  /**
   * A smaller version that fits the box (never larger than the original), made once and kept: in the original's type, or `webp` where that is for PNG
   * and JPEG. A PNG or JPEG that fits the box as it is becomes WebP only where that is smaller.
   */
  resized(file: FileRef, box: Box, type?: ServedType): Promise<FileRef>;
  /**
   * The same as AVIF, for browsers that take it, where that is smaller. It is a quarter smaller than WebP for twice the work, which nobody waits for: until it
   * is made, one after the other behind whatever else is done, it is WebP.
   */
  smallest(file: FileRef, box: Box): Promise<Smallest>;
  /**
   * The same files, with what is put counted for this user or network until a record names it, and bounded by the limits of the site; null for the site
   * itself.
   */
  of(whose: Uploader | null, limits?: () => Promise<UploadLimits>): FileStore;
  /** How many bytes all files take. */
  usedBytes(): Promise<number>;
  /** Told by the model layer when a record with the file was saved. */
  used(hash: string): void;
}

/** The filestore, in the container of a generation. */
export const files = value<FileStore>('files');

declare module '@pergola/core/context' {
  interface Ctx {
    readonly files: FileStore;
  }
}
