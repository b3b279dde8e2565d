import { type ExtensionPoint, extensionPoint } from '../addon/extension-point.ts';
import type { Problem } from '../errors.ts';
import type { LoadedAddon } from '../generation.ts';

/** What pages may load or send elsewhere, beside this site itself. */
export interface CspSource {
  /** `frame-src` for players and maps that visitors open, `form-action` for payment pages, the others for what they say. */
  readonly directive: 'frame-src' | 'form-action' | 'img-src' | 'media-src' | 'connect-src';
  /** An https origin without path: `https://www.youtube-nocookie.com`. */
  readonly source: string;
}

/**
 * Hosts that the Content-Security-Policy of pages allows. It is the same for all pages of a generation.
 *
 * ```ts
 * contributes: [cspSources.add({ directive: 'frame-src', source: 'https://www.youtube-nocookie.com' })],
 * ```
 */
export const cspSources: ExtensionPoint<CspSource> = extensionPoint<CspSource>('core.csp');

const directives: ReadonlySet<string> = new Set(['frame-src', 'form-action', 'img-src', 'media-src', 'connect-src']);

/** What addons contribute to the policy that it cannot take: anything but whole https origins of named hosts. */
export function cspProblems(addons: readonly LoadedAddon[]): Problem[] {
  return addons.flatMap(({ name, definition }) =>
    (definition.contributes ?? [])
      .filter(({ point }) => point === cspSources.name)
      .flatMap(({ items }) => items as readonly CspSource[])
      .filter((item) => !isSource(item))
      .map(({ directive, source }) => ({
        addon: name,
        file: 'addon.ts',
        message: `core.csp: “${directive} ${source}” is no directive with an https origin.`,
        remedy: 'Name one host, without path and wildcard: https://player.vimeo.com.',
      })),
  );
}

function isSource({ directive, source }: CspSource): boolean {
  return directives.has(directive) && URL.canParse(source) && /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(source);
}
