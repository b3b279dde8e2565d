import type { ComponentProps } from 'react';

/** HTML that the server rendered and sanitised, as it stands in the page itself. */
export function Html({ html, ...attributes }: ComponentProps<'div'> & { readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
