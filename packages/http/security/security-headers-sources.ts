import type { Contribution, Problem } from '@pergola/core';

/** Other sites that pages may load from or send data to. */
export interface CspSource {
  /** `frame-src` for players and maps that visitors open, `form-action` for payment pages, the others as in the CSP. */
  readonly directive: 'frame-src' | 'form-action' | 'img-src' | 'media-src' | 'connect-src';
  /** An https origin without path: `https://www.youtube-nocookie.com`. */
  readonly source: string;
}

const directives: ReadonlySet<string> = new Set(['frame-src', 'form-action', 'img-src', 'media-src', 'connect-src']);

/** Problems of addons' CSP contributions: only complete https origins with host names are allowed. */
export function cspProblems(contributions: readonly Contribution<readonly CspSource[]>[]): Problem[] {
  return contributions.flatMap(({ addon, value }) =>
    value
      .filter((item) => !isSource(item))
      .map(({ directive, source }) => ({
        addon: addon.name,
        file: 'addon.ts',
        message: `cspSources: “${directive} ${source}” is no directive with an https origin.`,
        remedy: 'Name one host, without path and wildcard: https://player.vimeo.com.',
      })),
  );
}

function isSource({ directive, source }: CspSource): boolean {
  return directives.has(directive) && URL.canParse(source) && /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(source);
}
