import { t } from './page.ts';

/** Says something in the corner for a few seconds; read out by screen readers. `link`: where one goes on from there. */
export function notify(
  text: string,
  kind: 'status' | 'alert' = 'status',
  link?: { readonly text: string; readonly href: string },
): void {
  const note = document.createElement('div');
  note.className = 'toast-note';
  note.setAttribute('role', kind);
  note.textContent = text;
  if (link) {
    const way = document.createElement('a');
    way.href = link.href;
    way.textContent = link.text;
    note.append(' ', way);
  }
  shelf().append(note);
  setTimeout(() => note.remove(), kind === 'alert' ? 10_000 : 5_000);
}

function shelf(): HTMLElement {
  const known = document.querySelector<HTMLElement>('.toasts');
  if (known) return known;
  const made = document.createElement('div');
  made.className = 'toasts';
  made.setAttribute('aria-live', 'polite');
  document.body.append(made);
  return made;
}

/** Asks yes or no in a dialog; Escape and closing mean no. `yes` should say what is done then: “Delete”, not “OK”. */
export function confirmDialog(
  question: string,
  about: { yes?: string; no?: string; title?: string } = {},
): Promise<boolean> {
  const dialog = document.createElement('dialog');
  const title = about.title ?? t('Please confirm');
  dialog.setAttribute('aria-label', title);
  const head = element('div', 'dialog-head');
  head.append(element('h2', '', title));
  const foot = element('div', 'dialog-foot');
  const no = button('btn btn-outline-secondary', about.no ?? t('Cancel'), () => dialog.close(''));
  const yes = button('btn btn-primary', about.yes ?? t('OK'), () => dialog.close('yes'));
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
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(className: string, text: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  made.textContent = text;
  made.addEventListener('click', press);
  return made;
}
