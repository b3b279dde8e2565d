import { type ComponentType, createElement, memo, type ReactElement, type ReactNode, useEffect } from 'react';
import { type Fills, FillsContext } from './slot.ts';

/** HTML of the template within an island. React leaves it as it is: it has no words for what stands in there. */
const Content = memo(
  ({ html }: { readonly html: string }) =>
    // biome-ignore lint/security/noDangerouslySetInnerHtml: what a template of the server made
    createElement('pergola-content', { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: html } }),
  () => true,
);

/** Tells when what it holds is alive. */
function Alive({ onAlive, children }: { readonly onAlive: () => void; readonly children?: ReactNode }): ReactNode {
  useEffect(onAlive, [onAlive]);
  return children;
}

const nobody = (): void => {};

/**
 * An island with all that is around it: the same on the server and in browsers.
 *
 * @param html what the template has within the island; null for nothing
 * @param onAlive called in browsers, once its handlers listen
 */
export function islandTree(
  component: ComponentType<Record<string, unknown>>,
  props: Record<string, unknown>,
  html: string | null,
  fills: readonly Fills[],
  onAlive = nobody,
): ReactElement {
  const content = html === null ? [] : [createElement(Content, { html })];
  const filled = createElement(FillsContext, { value: fills }, createElement(component, props, ...content));
  return createElement(Alive, { onAlive }, filled);
}
