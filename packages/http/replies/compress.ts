import { acceptedEncodings, compressed, type Encoding } from '@pergola/core';

/** A smaller reply fits into one packet anyway. */
const MIN_BYTES = 1024;
/** A larger reply would occupy a thread for too long; few routes send such replies, which are often compressed already. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Compresses a body in the best encoding the visitor accepts, unless it isn't worth it or the request says `no-transform`. Runs in the
 * thread pool, at a level that costs about as much as it saves.
 */
export async function compress(
  bytes: Buffer,
  headers: { readonly 'accept-encoding'?: string | string[]; readonly 'cache-control'?: string },
): Promise<{ readonly bytes: Buffer; readonly encoding: Encoding }> {
  const size = bytes.byteLength;
  const plain = { bytes, encoding: 'identity' } as const;
  if (size < MIN_BYTES || size > MAX_BYTES) return plain;
  if (headers['cache-control']?.includes('no-transform')) return plain;
  const [best = 'identity'] = acceptedEncodings(String(headers['accept-encoding'] ?? ''));
  if (best === 'identity') return plain;
  const smaller = await compressed(bytes, best, best === 'br' ? 4 : 5);
  return smaller.byteLength < size ? { bytes: smaller, encoding: best } : plain;
}
