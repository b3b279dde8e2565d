import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import RichText from './rich-text.tsx';

/** Puts the rich-text editor in the place of a text area of a form; the text area keeps the HTML and goes with the form as before. */
export function enhanceTextArea(area: HTMLTextAreaElement): () => void {
  const holder = document.createElement('div');
  area.after(holder);
  const label = area.labels?.[0]?.textContent?.trim() ?? area.getAttribute('aria-label') ?? '';
  const wasHidden = area.hidden;
  const { required } = area;
  // A hidden field cannot say that it is empty; the server does.
  area.required = false;
  const focus = (options?: FocusOptions): void =>
    holder.querySelector<HTMLElement>('[contenteditable]')?.focus(options);
  const press = (event: Event): void => {
    event.preventDefault();
    focus();
  };
  for (const one of area.labels ?? []) one.addEventListener('click', press);
  const root = createRoot(holder);
  let round = 0;
  const draw = (): void =>
    root.render(
      <RichText
        key={round}
        value={area.value}
        label={label}
        tools={area.dataset.richText === 'page' ? 'page' : 'comment'}
        placeholder={area.placeholder || undefined}
        rows={area.rows > 2 ? area.rows : 6}
        invalid={area.classList.contains('is-invalid')}
        describedBy={area.getAttribute('aria-describedby') ?? undefined}
        onChange={(html) => {
          area.value = html;
          area.dispatchEvent(new Event('input', { bubbles: true }));
        }}
        mayUse={(tool) =>
          area.dispatchEvent(new CustomEvent('richtext:tool', { bubbles: true, cancelable: true, detail: tool }))
        }
      />,
    );
  flushSync(draw);
  // Before the field is hidden, so that the keyboard of a phone stays; the editor then moves up into its place.
  if (document.activeElement === area) focus({ preventScroll: true });
  area.hidden = true;
  // An editor of its own for what the form begins with again, once the fields have it.
  const begin = (): void =>
    void setTimeout(() => {
      if (!holder.isConnected) return;
      round += 1;
      draw();
    });
  const { form } = area;
  form?.addEventListener('reset', begin);
  // A draft that is brought back.
  area.addEventListener('change', begin);
  return () => {
    form?.removeEventListener('reset', begin);
    area.removeEventListener('change', begin);
    root.unmount();
    holder.remove();
    area.hidden = wasHidden;
    area.required = required;
    for (const one of area.labels ?? []) one.removeEventListener('click', press);
  };
}
