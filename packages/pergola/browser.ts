/** What code of addons uses in browsers. */
export * from '@pergola/browser/page';
