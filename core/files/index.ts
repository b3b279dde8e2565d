// What other parts may import; README.md says what the part is for.

export { type BlobStore, openBlobStore } from './blob-store.ts';
export { HashedFileStore } from './file-store.ts';
export { sweepFiles } from './sweep.ts';
export {
  type FileRef,
  type FileStore,
  files,
  type ImageLimits,
  type StoredFile,
  type UploadLimits,
} from './types.ts';
