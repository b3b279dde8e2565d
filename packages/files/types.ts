import type { Readable } from 'node:stream';
import { value } from '@pergola/core';
import type { Uploader } from './unused-uploads.ts';

/** Reference to a file as stored in a field: its content hash and metadata. */
export interface FileRef {
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  readonly mimetype: string;
  /** In bytes. */
  readonly size: number;
  /** Original file name, without a path. */
  readonly name?: string;
  /** Images only, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** An existing file, not read yet. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Streams the bytes of a range, both ends included, at the reader's speed. Reads nothing before the stream is consumed. */
  read(start: number, end: number): Readable;
}

/** Maximum size of an image in pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Type of an image served immediately: as stored, or as WebP, which browsers accept but mail clients may not. */
export type ServedType = 'own' | 'webp';

/** The smallest version of an image available so far. */
export interface Smallest {
  readonly file: FileRef;
  /** Whether a smaller version is being made for later requests. */
  readonly isPending: boolean;
}

/** Limits and transformations for an uploaded image. */
export interface ImageLimits {
  /** Width times height; default 52 million. */
  maxPixels?: number;
  /** Scales the image down to this box, keeping its aspect ratio. */
  fit?: { width: number; height: number };
  /**
   * Crops to this part first, in pixels of the original, limited to the image; with an `aspect` (width by height), to the largest part of
   * that shape. Zero sizes are ignored.
   */
  crop?: { left: number; top: number; width: number; height: number; aspect?: number };
}

/** Upload limits in bytes; null: whatever the kind of upload allows. */
export interface UploadLimits {
  readonly file: number | null;
  /** For all files together. */
  readonly total: number | null;
}

/**
 * Files by content. Files are stored before the transaction: an orphan is harmless and swept later, but a row never references a missing
 * file. In a context, uploads are counted for the user or the visitor's network, and too many without a record are rejected.
 */
export interface FileStore {
  /** Stores any file unchanged. Its type is detected from the content, then from the name. */
  put(content: Uint8Array, about?: { name?: string; mimetype?: string }): Promise<FileRef>;
  /**
   * Decodes a raster image, applies the limits, re-encodes it without metadata and stores it. Throws InvalidInput if it isn't an image or
   * can't be read; with `field`, the message is shown next to this field of the form.
   */
  putImage(content: Uint8Array, about?: { name?: string; field?: string } & ImageLimits): Promise<FileRef>;
  /** The whole content in memory, for processing, or null if the file is missing. Use `open` to stream a file. */
  get(hash: string): Promise<Uint8Array | null>;
  /** Opens the file for streaming, or returns null if it is missing. */
  open(hash: string): Promise<StoredFile | null>;
  /**
   * A smaller version that fits the box (never larger than the original), made once and stored: in the original's type, or as `webp` for
   * PNG and JPEG. A PNG or JPEG that already fits becomes WebP only if that is smaller.
   */
  resized(file: FileRef, box: Box, type?: ServedType): Promise<FileRef>;
  /**
   * The same as AVIF, for browsers that accept it, if that is smaller. AVIF is a quarter smaller than WebP for twice the work, so it is
   * made in the background, one image at a time, and WebP is served until then.
   */
  smallest(file: FileRef, box: Box): Promise<Smallest>;
  /**
   * The same files, counting uploads for this user or network until a record references them, within the limits of the site; null for the
   * site itself.
   */
  of(uploader: Uploader | null, limits?: () => Promise<UploadLimits>): FileStore;
  /** Total size of all files in bytes. */
  usedBytes(): Promise<number>;
  /** Called by the model layer when a record with the file is saved. */
  used(hash: string): void;
}

/** File store in the container of a generation. */
export const files = value<FileStore>('files');

declare module '@pergola/core/context' {
  interface Ctx {
    readonly files: FileStore;
  }
}
