import type { Encoding } from '../http/kernel-face.ts';

const plain: readonly Encoding[] = ['identity'];
const brotliFirst: readonly Encoding[] = ['br', 'gzip', 'identity'];
const gzipFirst: readonly Encoding[] = ['gzip', 'identity'];

/** The encodings a visitor takes, the best first, as `Accept-Encoding` says; `identity` is always among them. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined || header === '') return plain;
  // What browsers send, without a closer look.
  if (header === 'gzip, deflate, br, zstd' || header === 'gzip, deflate, br') return brotliFirst;
  if (header === 'gzip, deflate') return gzipFirst;
  const taken = new Set<string>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    if (!parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/i.test(parameter)))
      taken.add(name.trim().toLowerCase());
  }
  return [...(taken.has('br') ? (['br'] as const) : []), ...(taken.has('gzip') ? (['gzip'] as const) : []), 'identity'];
}
