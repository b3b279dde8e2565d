/** API for islands: the React side of `pergola/browser`. */
export * from '@pergola/browser/react';
