import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'img'> {
  readonly src: string;
  readonly alt: string;
  /** Size in pixels; reserves the space while the image loads. */
  readonly width: number;
  readonly height: number;
  /** Other available widths in pixels, for `sizes`. */
  readonly widths?: Readonly<Record<number, string>>;
}

/** Lazy-loaded image in the size that its place needs. */
export function Picture({ widths = {}, loading = 'lazy', ...img }: Props) {
  const set = Object.entries(widths).map(([width, address]) => `${address} ${width}w`);
  // biome-ignore lint/a11y/useAltText: required by the props
  return <img {...img} loading={loading} decoding="async" srcSet={set.length > 0 ? set.join(', ') : undefined} />;
}
