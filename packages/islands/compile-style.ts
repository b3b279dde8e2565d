import { compile, Exception, Logger } from 'sass';

/** What `buildStyle` asks for. */
export interface StyleOrder {
  readonly file: string;
  readonly compressed: boolean;
  readonly loadPaths: readonly string[];
}

/** The style sheet and the addresses of what was read, or where and why it failed. */
export type StyleResult =
  | { readonly css: string; readonly inputs: readonly string[] }
  | { readonly url: string | null; readonly line: number; readonly message: string };

/** Warnings of Bootstrap's own sources, which follow an older Sass. */
const silenced = ['import', 'global-builtin', 'color-functions', 'if-function', 'abs-percent', 'mixed-decls'] as const;

/** Holds up its thread: Bootstrap takes a second. */
export function compileStyle({ file, compressed, loadPaths }: StyleOrder): StyleResult {
  try {
    const { css, loadedUrls } = compile(file, {
      style: compressed ? 'compressed' : 'expanded',
      loadPaths: [...loadPaths],
      // Sheets are joined, and a byte order mark in the middle takes the rule after it away.
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
