// What other parts may import; README.md says what the part is for.

export { emailKey, readableAddress } from './address.ts';
export { mail } from './define.ts';
export { mailPart } from './part.ts';
export * from './public.ts';
