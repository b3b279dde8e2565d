import { type ComponentType, createElement, memo, type ReactElement, type ReactNode, useEffect } from 'react';
import { type Fills, FillsContext } from './slot.ts';

/** HTML of the template within an island. React leaves it unchanged, since it has no components for it. */
const Content = memo(
  ({ html }: { readonly html: string }) =>
    // biome-ignore lint/security/noDangerouslySetInnerHtml: HTML rendered by a template on the server
    createElement('pergola-content', { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: html } }),
  () => true,
);

/** Calls `onAlive` once its children are hydrated. */
function Alive({ onAlive, children }: { readonly onAlive: () => void; readonly children?: ReactNode }): ReactNode {
  useEffect(onAlive, [onAlive]);
  return children;
}

const noop = (): void => {};

/**
 * Element tree of an island with its wrappers: identical on the server and in browsers.
 *
 * @param html the template's HTML within the island, or null
 * @param onAlive called in browsers once the island's handlers listen
 */
export function islandTree(
  component: ComponentType<Record<string, unknown>>,
  props: Record<string, unknown>,
  html: string | null,
  fills: readonly Fills[],
  onAlive = noop,
): ReactElement {
  const content = html === null ? [] : [createElement(Content, { html })];
  const filled = createElement(FillsContext, { value: fills }, createElement(component, props, ...content));
  return createElement(Alive, { onAlive }, filled);
}
