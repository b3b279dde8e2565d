/** Additional HTTP API: types of routes and files, rate limits, sessions, addresses. */

export { fromBase64, type ImageLimits } from '@pergola/files';
export * from '@pergola/http/public';
export type { LiveValues } from '@pergola/page-cache';
