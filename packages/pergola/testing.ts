/** API for addon tests. Not available on production sites. */
export * from '@pergola/tools/testing';
