import { Readable } from 'node:stream';
import type { StoredFile } from '../types.ts';

/** Bytes in memory as a filestore opens them. */
export function openedBytes(bytes: Uint8Array | undefined): StoredFile | null {
  if (!bytes) return null;
  return {
    size: bytes.byteLength,
    read: (start, end) => Readable.from([Buffer.from(bytes.subarray(start, end + 1))], { objectMode: false }),
  };
}
