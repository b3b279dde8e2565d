/** Shows a network's feed when the visitor asks for it; until then nothing is loaded from there. */
export default function social(element: HTMLElement): undefined | (() => void) {
  const gate = element.querySelector<HTMLElement>('.club-social-gate');
  const button = gate?.querySelector('button');
  if (!gate || !button) return undefined;
  const load = (): void => {
    const frame = document.createElement('iframe');
    frame.src = gate.dataset.frame ?? 'about:blank';
    frame.title = gate.dataset.title ?? '';
    frame.height = gate.dataset.height ?? '600';
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox');
    frame.referrerPolicy = 'no-referrer';
    frame.loading = 'eager';
    gate.replaceWith(frame);
    frame.focus();
  };
  button.hidden = false;
  button.addEventListener('click', load);
  return () => button.removeEventListener('click', load);
}
