/** The list of products: filters and sorting take effect as they are chosen. Without JavaScript there are buttons for it. */
export default function list(root: HTMLElement): () => void {
  const form = root.querySelector<HTMLFormElement>('#shop-filter');
  const changed = (event: Event): void => {
    const target = event.target as Element;
    if (!form || !target.matches('[data-shop-facets] input, #shop-order')) return;
    form.requestSubmit();
  };
  const submitted = (): void => {
    // An empty search and the usual order are no part of the address.
    for (const field of form?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      if (field.value === '' || (field.name === 'order' && field.value === 'featured')) field.disabled = true;
    }
  };
  /** Who comes back finds a form that works. */
  const shown = (): void => {
    for (const field of form?.elements ?? []) {
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.disabled = false;
    }
  };
  root.addEventListener('change', changed);
  form?.addEventListener('submit', submitted);
  window.addEventListener('pageshow', shown);
  return () => {
    root.removeEventListener('change', changed);
    form?.removeEventListener('submit', submitted);
    window.removeEventListener('pageshow', shown);
  };
}
