/** Times in the zones of events and visitors, for the few pages that need them. */
export * from '@pergola/browser/zones';
