/** Browser API for addons. */
export * from '@pergola/browser/page';
