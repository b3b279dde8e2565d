import { isBuiltin } from 'node:module';
import { findPackage, repository } from '@pergola/core';
import { resolveInTests } from './resolve.ts';

interface Options {
  basedir: string;
  defaultResolver: (path: string, options: Options) => string;
}

/** Jest's resolver, with the same mapping as Node's (`registerResolve`). */
export default function resolveForJest(specifier: string, options: Options): string {
  if (isBuiltin(specifier)) return specifier;
  const file = resolveInTests(specifier, options.basedir);
  if (file !== null) return file;
  return findPackage(specifier, options.basedir, (parentURL) =>
    options.defaultResolver(specifier, parentURL === undefined ? options : { ...options, basedir: repository }),
  );
}
