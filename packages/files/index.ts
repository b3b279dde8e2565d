// Public API of the package; see README.md for its purpose.

export { fromBase64 } from './base64.ts';
export { type BlobStore, openBlobStore } from './blob-store.ts';
export { blobs, filesPart, uploadLimits } from './part.ts';
export {
  type FileRef,
  type FileStore,
  files,
  type ImageLimits,
  type StoredFile,
  type UploadLimits,
} from './types.ts';
