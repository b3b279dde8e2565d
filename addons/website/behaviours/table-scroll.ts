/** Makes a table wider than its container (`.table-responsive`) scrollable by keyboard. */
export default function tableScroll(place: HTMLElement): () => void {
  const fit = (): void => {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute('tabindex');
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(place);
  return () => sizes.disconnect();
}
