import { t } from './page.ts';

/**
 * Shows a toast for a few seconds, counted from when it becomes visible, however busy or hidden the page is until then. Screen readers
 * announce it. `follow` is a page to go to, or something to do; the toast then stays longer, and while it is pointed at or focused.
 */
export function notify(
  text: string,
  kind: 'status' | 'alert' = 'status',
  follow?: { readonly text: string } & ({ readonly href: string } | { run(): void }),
): void {
  const note = element('div', 'toast-note', text);
  note.role = kind;
  if (follow && 'href' in follow) note.append(' ', Object.assign(element('a', '', follow.text), { href: follow.href }));
  if (follow && 'run' in follow)
    note.append(
      ' ',
      button('btn btn-sm btn-link', follow.text, () => {
        note.remove();
        follow.run();
      }),
    );
  const toasts = shelf();
  for (const toast of toasts.children) if (toast.textContent === note.textContent) toast.remove();
  toasts.append(note);
  const leave = (): void => {
    if (note.matches(':hover, :focus-within')) setTimeout(leave, 2_000);
    else note.remove();
  };
  requestAnimationFrame(() => setTimeout(leave, kind === 'alert' || follow ? 10_000 : 5_000));
}

function shelf(): HTMLElement {
  const existing = document.querySelector<HTMLElement>('.toasts');
  if (existing) return existing;
  const toasts = Object.assign(element('div', 'toasts'), { ariaLive: 'polite' });
  document.body.append(toasts);
  return toasts;
}

/** Asks a yes/no question in a dialog; Escape and closing mean no. `yes` should name the action: “Delete”, not “OK”. */
export function confirmDialog(
  question: string,
  labels: { yes?: string; no?: string; title?: string } = {},
): Promise<boolean> {
  const dialog = document.createElement('dialog');
  const title = labels.title ?? t('Confirm');
  dialog.ariaLabel = title;
  const head = element('div', 'dialog-head');
  head.append(element('h2', '', title));
  const foot = element('div', 'dialog-foot');
  const no = button('btn btn-outline-secondary', labels.no ?? t('Cancel'), () => dialog.close());
  const yes = button('btn btn-primary', labels.yes ?? t('OK'), () => dialog.close('yes'));
  foot.append(no, yes);
  dialog.append(head, element('div', 'dialog-body', question), foot);
  document.body.append(dialog);
  dialog.showModal();
  yes.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}

function element(tag: string, className: string, text = ''): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

function button(className: string, text: string, onclick: () => void): HTMLElement {
  return Object.assign(element('button', className, text), { onclick });
}
