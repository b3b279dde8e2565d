/** A table that is wider than its place (`.table-responsive`) is scrolled by keys too. */
export default function tableScroll(place: HTMLElement): () => void {
  const fit = (): void => {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute('tabindex');
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(place);
  return () => sizes.disconnect();
}
