import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import RichText from './rich-text.tsx';

/** Replaces a form's text area with the rich-text editor; the text area keeps the HTML and is submitted as before. */
export function enhanceTextArea(area: HTMLTextAreaElement): () => void {
  const holder = document.createElement('div');
  area.after(holder);
  const label = area.labels?.[0]?.textContent?.trim() ?? area.getAttribute('aria-label') ?? '';
  const wasHidden = area.hidden;
  const { required } = area;
  // A hidden required field can't show its validation message; the server checks it.
  area.required = false;
  const focus = (options?: FocusOptions): void =>
    holder.querySelector<HTMLElement>('[contenteditable]')?.focus(options);
  const press = (event: Event): void => {
    event.preventDefault();
    focus();
  };
  for (const label of area.labels ?? []) label.addEventListener('click', press);
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
  // Focuses the editor before hiding the field so that the phone keyboard stays open; the editor then moves up into its place.
  if (document.activeElement === area) focus({ preventScroll: true });
  area.hidden = true;
  // After a form reset, creates a new editor once the fields have their initial values.
  const begin = (): void =>
    void setTimeout(() => {
      if (!holder.isConnected) return;
      round += 1;
      draw();
    });
  const { form } = area;
  form?.addEventListener('reset', begin);
  // A restored draft.
  area.addEventListener('change', begin);
  return () => {
    form?.removeEventListener('reset', begin);
    area.removeEventListener('change', begin);
    root.unmount();
    holder.remove();
    area.hidden = wasHidden;
    area.required = required;
    for (const label of area.labels ?? []) label.removeEventListener('click', press);
  };
}
