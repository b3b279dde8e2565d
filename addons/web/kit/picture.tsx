import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'img'> {
  readonly src: string;
  readonly alt: string;
  /** Pixels of its place, which is kept free until it is there. */
  readonly width: number;
  readonly height: number;
  /** Other widths it is served in, by pixels, for `sizes`. */
  readonly widths?: Readonly<Record<number, string>>;
}

/** A picture that is loaded when it is near, in the size that its place needs. */
export function Picture({ widths = {}, loading = 'lazy', ...img }: Props) {
  const set = Object.entries(widths).map(([width, address]) => `${address} ${width}w`);
  // biome-ignore lint/a11y/useAltText: it is among the props, and required
  return <img {...img} loading={loading} decoding="async" srcSet={set.length > 0 ? set.join(', ') : undefined} />;
}
