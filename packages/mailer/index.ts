// Public API of the package; see README.md for its purpose.

export { emailKey, readableAddress } from './address.ts';
export { mail } from './define.ts';
export { mailPart } from './part.ts';
export * from './public.ts';
