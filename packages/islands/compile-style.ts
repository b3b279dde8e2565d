import { compile, Exception, Logger } from 'sass';

/** Input of `buildStyle`. */
export interface StyleOrder {
  readonly file: string;
  readonly compressed: boolean;
  readonly loadPaths: readonly string[];
}

/** The style sheet and the files it was compiled from, or the location and reason of the failure. */
export type StyleResult =
  | { readonly css: string; readonly inputs: readonly string[] }
  | { readonly url: string | null; readonly line: number; readonly message: string };

/** Deprecation warnings from Bootstrap's sources, which target an older Sass. */
const silenced = ['import', 'global-builtin', 'color-functions', 'if-function', 'abs-percent', 'mixed-decls'] as const;

/** Blocks its thread: Bootstrap takes a second. */
export function compileStyle({ file, compressed, loadPaths }: StyleOrder): StyleResult {
  try {
    const { css, loadedUrls } = compile(file, {
      style: compressed ? 'compressed' : 'expanded',
      loadPaths: [...loadPaths],
      // Sheets are concatenated, and a byte order mark in the middle breaks the next rule.
      charset: false,
      quietDeps: true,
      silenceDeprecations: [...silenced],
      logger: Logger.silent,
    });
    return { css, inputs: loadedUrls.map(({ pathname }) => decodeURIComponent(pathname)) };
  } catch (error) {
    if (!(error instanceof Exception)) throw error;
    const { start, url } = error.span;
    return { url: url?.href ?? null, line: start.line + 1, message: error.sassMessage };
  }
}
