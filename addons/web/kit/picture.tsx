import type { ComponentProps } from 'react';

/** An image that loads when it comes into view. Give its size unless CSS reserves the space, and `srcSet` with `sizes` if there are several. */
export function Picture(img: ComponentProps<'img'> & { readonly alt: string }) {
  // biome-ignore lint/a11y/useAltText: required by the props
  return <img loading="lazy" decoding="async" {...img} />;
}
