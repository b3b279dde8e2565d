import { acceptedEncodings, compressed, type Encoding } from '@pergola/core';

/** Below this size a reply travels in one packet anyway. */
const LEAST = 1024;
/** Above this size it would hold a thread for too long; such replies are made by few routes and often compressed already. */
const MOST = 8 * 1024 * 1024;

/**
 * A body in the best encoding the visitor takes; as it is where it is not worth it or the request says `no-transform`. In a thread of the pool, at
 * a level that costs about as much as it saves.
 */
export async function compress(
  bytes: Buffer,
  headers: { readonly 'accept-encoding'?: string | string[]; readonly 'cache-control'?: string },
): Promise<{ readonly bytes: Buffer; readonly encoding: Encoding }> {
  const size = bytes.byteLength;
  const plain = { bytes, encoding: 'identity' } as const;
  if (size < LEAST || size > MOST) return plain;
  if (headers['cache-control']?.includes('no-transform')) return plain;
  const [best = 'identity'] = acceptedEncodings(String(headers['accept-encoding'] ?? ''));
  if (best === 'identity') return plain;
  const smaller = await compressed(bytes, best, best === 'br' ? 4 : 5);
  return smaller.byteLength < size ? { bytes: smaller, encoding: best } : plain;
}
