import type { ComponentProps } from 'react';

/** HTML rendered and sanitised by the server, inserted into the page as is. */
export function Html({ html, ...attributes }: ComponentProps<'div'> & { readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
