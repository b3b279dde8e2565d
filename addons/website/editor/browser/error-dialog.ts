import { t } from '#core/browser';
import { h } from '../../snippets/browser/dom.ts';

export interface ErrorAbout {
  readonly title: string;
  readonly message: string;
  /** The record it is about; its form in the backend is offered. */
  readonly model?: string;
  readonly id?: number | string;
}

/** The address of a record in the backend, with the way back here. */
export function backendAddress(model: string, id: number | string): string {
  return `/web#return_label=Website&model=${encodeURIComponent(model)}&id=${encodeURIComponent(String(id))}`;
}

/** Says what went wrong with a record, and where it can be looked at. */
export function errorDialog({ title, message, model, id }: ErrorAbout): void {
  const close = h('button', { type: 'button', class: 'btn btn-primary' }, t('Close'));
  const link =
    model && id
      ? h(
          'a',
          { class: 'btn btn-outline-secondary me-auto', href: backendAddress(model, id) },
          t('Open in the backend'),
        )
      : null;
  const dialog = h(
    'dialog',
    { class: 'error-dialog', 'aria-labelledby': 'error-dialog-title', role: 'alertdialog' },
    h('div', { class: 'dialog-head' }, h('h2', { id: 'error-dialog-title' }, title)),
    h('div', { class: 'dialog-body' }, h('p', { class: 'mb-0' }, message)),
    h('div', { class: 'dialog-foot' }, link, close),
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}
