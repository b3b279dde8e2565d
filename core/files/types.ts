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

export interface ImageLimits {
  /** Width times height; default 42 million. */
  maxPixels?: number;
  /** Fits the picture into this box, keeping its shape. */
  fit?: { width: number; height: number };
  /**
   * Cuts this part out first, in pixels of the original: what of it lies in the picture, and with an `aspect` (width by height) the largest part of that
   * shape. Zero sizes are ignored.
   */
  crop?: { left: number; top: number; width: number; height: number; aspect?: number };
}

/**
 * Files by content. Putting is done before a transaction (ruling 8): an orphan is harmless and swept later; a row never names a file that
 * is not there.
 */
export interface FileStore {
  /** Keeps any file as it is. The type is found from the content, then the name. */
  put(content: Uint8Array, about?: { name?: string; mimetype?: string }): Promise<FileRef>;
  /** Decodes, bounds, re-encodes without metadata and keeps a raster image; InvalidInput "Only image files can be uploaded" otherwise. */
  putImage(content: Uint8Array, about?: { name?: string } & ImageLimits): Promise<FileRef>;
  /** The content, or null when it is gone. */
  get(hash: string): Promise<Uint8Array | null>;
  /** A smaller version that fits the box (never larger than the original), made once and kept. WebP or the original's type. */
  resized(file: FileRef, box: { width: number; height: number }): Promise<FileRef>;
}
