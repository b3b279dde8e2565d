/** The pictures of a product: small ones change the large one, which opens larger still; there arrow keys go on, and a click looks closer. */
export default function pictures(root: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const main = root.querySelector<HTMLImageElement>('[data-zoom] img');
  const dialog = root.querySelector<HTMLDialogElement>('[data-zoom-dialog]');
  const large = dialog?.querySelector<HTMLImageElement>('img');
  const thumbs = [...root.querySelectorAll<HTMLElement>('[data-thumb]')];

  const show = (thumb: HTMLElement): void => {
    const { src = '', large: zoomed = '', alt = '' } = thumb.dataset;
    for (const other of thumbs) other.removeAttribute('aria-current');
    thumb.setAttribute('aria-current', 'true');
    if (main) Object.assign(main, { src, alt });
    if (!large) return;
    large.dataset.large = zoomed;
    large.alt = alt;
    if (dialog?.open) large.src = zoomed;
  };
  for (const thumb of thumbs) thumb.addEventListener('click', () => show(thumb), { signal });

  root.querySelector('[data-zoom]')?.addEventListener(
    'click',
    () => {
      if (!dialog || !large) return;
      large.src = large.dataset.large ?? large.src;
      dialog.showModal();
    },
    { signal },
  );
  dialog?.addEventListener(
    'click',
    (event) => {
      if (event.target === dialog) dialog.close();
      else if (event.target === large) dialog.classList.toggle('is-close');
    },
    { signal },
  );
  dialog?.addEventListener(
    'keydown',
    (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (by === 0 || thumbs.length < 2) return;
      const at = thumbs.findIndex((thumb) => thumb.hasAttribute('aria-current'));
      const next = thumbs[(at + by + thumbs.length) % thumbs.length];
      if (next) show(next);
    },
    { signal },
  );

  // Another variant may look different.
  document.addEventListener(
    'website_sale.picture',
    (event) => {
      const src = (event as CustomEvent<{ readonly src: string; readonly large: string }>).detail;
      if (!main || main.getAttribute('src') === src.src) return;
      main.src = src.src;
      if (large) large.dataset.large = src.large;
    },
    { signal },
  );
  return () => ended.abort();
}
