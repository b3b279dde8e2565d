/** What islands use: React's side of `pergola/browser`. */
export * from '@pergola/browser/react';
