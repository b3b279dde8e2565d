import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Problem, repository } from '@pergola/core';
import type { StyleOrder, StyleResult } from './compile-style.ts';

export interface BuiltStyle {
  /** Content-hashed file name. */
  readonly file: string;
  /** Absolute paths that were read. */
  readonly inputs: readonly string[];
}

/**
 * Compiles one style sheet (`.scss` or `.css`) into `outdir`. It may `@use 'tokens'` for the project's colours and sizes. Errors are
 * reported as problems of the addon, with file and line.
 */
export async function buildStyle(
  addon: string,
  file: string,
  outdir: string,
  dev: boolean,
): Promise<{ style?: BuiltStyle; problems: Problem[] }> {
  const order = {
    file,
    compressed: !dev,
    // The addon's own packages first, then Pergola's, as in `findPackage`.
    loadPaths: [
      path.join(repository, 'packages/islands/styles'),
      path.join(path.dirname(path.dirname(file)), 'node_modules'),
      path.join(repository, 'node_modules'),
    ],
  };
  // Developers save often, so Sass stays loaded in this thread.
  const result = dev ? (await import('./compile-style.ts')).compileStyle(order) : await inThread(order);
  if ('message' in result) {
    const url = new URL(result.url ?? pathToFileURL(file));
    const where = path.relative(path.dirname(path.dirname(file)), decodeURIComponent(url.pathname));
    return { problems: [{ addon, file: where, line: result.line, message: result.message }] };
  }
  const { css, inputs } = result;
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 10);
  const name = `${path.parse(file).name}.${hash}.css`;
  await mkdir(outdir, { recursive: true });
  await writeFile(path.join(outdir, name), css);
  return { style: { file: name, inputs }, problems: [] };
}

/**
 * Compiles in a worker thread: Bootstrap takes a second, during which requests have to be served, and Sass about 60 MB, which are freed
 * with the thread.
 */
function inThread(order: StyleOrder): Promise<StyleResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(path.join(import.meta.dirname, 'style-worker.ts'), { workerData: order, execArgv: [] });
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', () => reject(new Error(`${order.file} could not be compiled: the thread ended.`)));
  });
}
