import { ready, t } from '#core/browser';

/** Counts down until when something is kept, to the second; at the end it says that it is no longer. A screen reader is told only of the end. */
export default function hold(root: HTMLElement): () => void {
  const until = Date.parse(root.dataset.until ?? '');
  const left = root.querySelector<HTMLElement>('.shop-hold-left');
  if (Number.isNaN(until) || !left) return () => {};
  const show = (): void => {
    const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
    if (seconds === 0) {
      clearInterval(timer);
      void over(root);
      return;
    }
    const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
    left.textContent = ` · ${minutes}:${String(rest).padStart(2, '0')}`;
  };
  const timer = setInterval(show, 1000);
  show();
  return () => clearInterval(timer);
}

async function over(root: HTMLElement): Promise<void> {
  await ready;
  const place = root.querySelector('span');
  if (place) place.textContent = t('It is not kept for you any more. You can still order what is left.');
  root.setAttribute('role', 'status');
}
