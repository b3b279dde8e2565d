import type { ComponentProps } from 'react';

/** HTML rendered and sanitised by the server, inserted into the page as is. Without any, the children: what the page came with. */
export function Html({ html, children, ...attributes }: ComponentProps<'div'> & { readonly html: string | null }) {
  if (html === null) return children;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
