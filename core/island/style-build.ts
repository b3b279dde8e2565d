import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Problem } from '../errors.ts';
import { repository } from '../start/alias.ts';

/** Warnings of Bootstrap's own sources, which follow an older Sass. */
const silenced = ['import', 'global-builtin', 'color-functions', 'if-function', 'abs-percent', 'mixed-decls'] as const;

export interface BuiltStyle {
  /** Content-hashed file name. */
  readonly file: string;
  /** Absolute paths that were read. */
  readonly inputs: readonly string[];
}

/**
 * Compiles one style sheet (`.scss` or `.css`) into `outdir`. It may `@use 'tokens'` for the project's colours and sizes.
 * A fault in it is a problem of the addon, with file and line.
 */
export async function buildStyle(
  addon: string,
  file: string,
  outdir: string,
  dev: boolean,
): Promise<{ style?: BuiltStyle; problems: Problem[] }> {
  const sass = await import('sass');
  try {
    const { css, loadedUrls } = await sass.compileAsync(file, {
      style: dev ? 'expanded' : 'compressed',
      loadPaths: [path.join(repository, 'core/styles'), path.join(repository, 'node_modules')],
      quietDeps: true,
      silenceDeprecations: [...silenced],
      logger: sass.Logger.silent,
    });
    const hash = createHash('sha256').update(css).digest('hex').slice(0, 10);
    const name = `${path.parse(file).name}.${hash}.css`;
    await mkdir(outdir, { recursive: true });
    await writeFile(path.join(outdir, name), css);
    return {
      style: { file: name, inputs: loadedUrls.map(({ pathname }) => decodeURIComponent(pathname)) },
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof sass.Exception)) throw error;
    const { start, url = pathToFileURL(file) } = error.span;
    const where = path.relative(path.dirname(path.dirname(file)), decodeURIComponent(url.pathname));
    return { problems: [{ addon, file: where, line: start.line + 1, message: error.sassMessage }] };
  }
}
