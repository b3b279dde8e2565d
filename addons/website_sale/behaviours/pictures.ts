/** Where all of the picture is no larger than on the page already (a phone), it opens pixel by pixel. */
function lookCloser(dialog: HTMLDialogElement, large: HTMLImageElement, main: HTMLImageElement | null): void {
  dialog.classList.remove('is-close');
  if (!main || large.clientWidth > main.clientWidth * 1.2) return;
  dialog.classList.add('is-close');
  const frame = large.parentElement;
  frame?.scrollTo((frame.scrollWidth - frame.clientWidth) / 2, (frame.scrollHeight - frame.clientHeight) / 2);
}

/** All of the picture, or every pixel of it around where it was pressed. */
function toggle(dialog: HTMLDialogElement, { clientX, clientY, target }: MouseEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const box = target.getBoundingClientRect();
  const [across, down] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  if (!dialog.classList.toggle('is-close')) return;
  const frame = target.parentElement;
  frame?.scrollTo(
    target.clientWidth * across - frame.clientWidth / 2,
    target.clientHeight * down - frame.clientHeight / 2,
  );
}

/** With a mouse the picture is moved by holding it; fingers scroll and pinch by themselves. */
function drag(frame: HTMLElement, held: { moved: boolean }, signal: AbortSignal): void {
  frame.addEventListener(
    'pointerdown',
    (event) => {
      held.moved = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      event.preventDefault();
      frame.classList.add('is-held');
      const ended = new AbortController();
      const during = { signal: AbortSignal.any([signal, ended.signal]) };
      window.addEventListener(
        'pointermove',
        ({ movementX, movementY }) => {
          if (Math.abs(movementX) + Math.abs(movementY) > 1) held.moved = true;
          frame.scrollBy(-movementX, -movementY);
        },
        during,
      );
      window.addEventListener(
        'pointerup',
        () => {
          frame.classList.remove('is-held');
          ended.abort();
        },
        during,
      );
    },
    { signal },
  );
}

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
      void large.decode().then(
        () => lookCloser(dialog, large, main),
        () => {},
      );
    },
    { signal },
  );
  dialog?.addEventListener(
    'click',
    (event) => {
      if (event.target === dialog) dialog.close();
      else if (event.target === large && !held.moved) toggle(dialog, event);
    },
    { signal },
  );
  const held = { moved: false };
  const frame = dialog?.querySelector<HTMLElement>('.shop-zoom-frame');
  if (dialog && frame) drag(frame, held, signal);
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
