import { t } from 'pergola/browser';
import { type FormEvent, type SubmitEvent, useState } from 'react';

/**
 * Error texts by field of a form, in place of the browser's messages: errors from the server, and errors found before the form is
 * submitted.
 */
export function useErrors(initialErrors: Readonly<Record<string, string>>) {
  const [errors, setErrors] = useState(initialErrors);
  return {
    errors,
    /** Whether the form may be submitted. If not, marks all invalid fields and focuses the first one. */
    check(event: SubmitEvent<HTMLFormElement>): boolean {
      const wrong = [...event.currentTarget.elements].filter(isField).filter((field) => !field.checkValidity());
      const [first] = wrong;
      if (!first) return true;
      event.preventDefault();
      setErrors(Object.fromEntries(wrong.map((field) => [field.name, messageOf(field)])));
      first.focus();
      // The browser reports errors in fields of other addons.
      if (first.closest('pergola-content')) first.reportValidity();
      return false;
    },
    /** Removes the error once the field has been edited. */
    mend({ target }: FormEvent): void {
      if (isField(target) && errors[target.name]) setErrors({ ...errors, [target.name]: '' });
    },
  };
}

type Field = HTMLInputElement | HTMLSelectElement;
const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/** In the page's language, which may differ from the browser's. */
function messageOf(field: Field): string {
  const { validity, type, validationMessage } = field;
  if (validity.valueMissing) return t('Fill in this field.');
  if (validity.tooShort) return t('Use at least {n} characters.', { n: (field as HTMLInputElement).minLength });
  return type === 'email' ? t('Enter a valid email address.') : validationMessage;
}
