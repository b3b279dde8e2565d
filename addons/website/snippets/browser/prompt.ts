import { t } from '#core/browser';
import { h } from './dom.ts';

/** A dialog was closed without an answer. */
export class PromptClosed extends Error {
  override readonly name = 'PromptClosed';
}

export interface PromptOptions {
  /** Heading of the dialog. */
  readonly title: string;
  /** Label of the field. */
  readonly label: string;
  /** With choices the field is a select, else a text input. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly value?: string;
  /** A line under the field. */
  readonly help?: string;
  readonly placeholder?: string;
  /** Of the button that confirms. Default "Continue". */
  readonly confirm?: string;
  /** Whether an empty text is an answer. Default false. */
  readonly optional?: boolean;
  readonly maxLength?: number;
}

type Field = HTMLInputElement | HTMLSelectElement;

/**
 * Asks for a text, or for one of some choices. Enter in the field confirms; Escape, Cancel and a click outside reject with
 * {@link PromptClosed}.
 *
 * ```ts
 * const name = await prompt({ title: t('New page'), label: t('Page title') });
 * const size = await prompt({ title: t('Size'), label: t('Size'), choices: [{ value: 's', label: t('Small') }] });
 * ```
 */
export function prompt(options: PromptOptions): Promise<string> {
  const field = fieldFor(options);
  const confirm = h('button', { type: 'submit', class: 'btn btn-primary' }, options.confirm ?? t('Continue'));
  const cancel = h('button', { type: 'button', class: 'btn btn-outline-secondary' }, t('Cancel'));
  const help = options.help ? h('p', { class: 'form-text', id: 'prompt-help' }, options.help) : null;
  if (help) field.setAttribute('aria-describedby', help.id);
  const form = h(
    'form',
    { method: 'dialog', novalidate: true },
    h('div', { class: 'dialog-head' }, h('h2', { id: 'prompt-title' }, options.title)),
    h('div', { class: 'dialog-body' }, h('label', { class: 'form-label', for: field.id }, options.label), field, help),
    h('div', { class: 'dialog-foot' }, cancel, confirm),
  );
  const dialog = h('dialog', { 'aria-labelledby': 'prompt-title', class: 'prompt' }, form);
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  if (field instanceof HTMLInputElement) field.select();
  return answer(dialog, form, field, cancel, options);
}

function answer(
  dialog: HTMLDialogElement,
  form: HTMLFormElement,
  field: Field,
  cancel: HTMLButtonElement,
  { optional = false }: PromptOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let given: string | null = null;
    const confirm = (): void => {
      const value = field.value.trim();
      const missing = value === '' && !optional;
      field.classList.toggle('is-invalid', missing);
      field.setAttribute('aria-invalid', String(missing));
      if (missing) field.focus();
      else {
        given = value;
        dialog.close();
      }
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      confirm();
    });
    // A select does not send its form by itself, and an input method's Enter only ends a composition.
    field.addEventListener('keydown', (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      confirm();
    });
    cancel.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (given === null) reject(new PromptClosed('The dialog was closed without an answer.'));
      else resolve(given);
    });
  });
}

function fieldFor({ choices, value, placeholder, optional, maxLength }: PromptOptions): Field {
  if (choices) {
    const select = h('select', { id: 'prompt-field', class: 'form-select' });
    for (const choice of choices) select.append(h('option', { value: choice.value }, choice.label));
    if (value !== undefined) select.value = value;
    return select;
  }
  const input = h('input', {
    id: 'prompt-field',
    class: 'form-control',
    type: 'text',
    autocomplete: 'off',
    required: !optional,
    placeholder: placeholder ?? false,
    maxlength: maxLength === undefined ? false : String(maxLength),
  });
  input.value = value ?? '';
  return input;
}
