import { t } from 'pergola/browser';
import { type FormEvent, type SubmitEvent, useState } from 'react';

/** What is wrong with which field of a form without the browser's own notes: as the server said, and as the browser finds before anything is sent. */
export function useErrors(given: Readonly<Record<string, string>>) {
  const [errors, setErrors] = useState(given);
  return {
    errors,
    /** Whether the form may be sent; else the first field that is wrong gets the focus, and all of them are marked. */
    check(event: SubmitEvent<HTMLFormElement>): boolean {
      const wrong = [...event.currentTarget.elements].filter(isField).filter((field) => !field.checkValidity());
      const [first] = wrong;
      if (!first) return true;
      event.preventDefault();
      setErrors(Object.fromEntries(wrong.map((field) => [field.name, messageOf(field)])));
      first.focus();
      // Fields of other addons are said by the browser.
      if (first.closest('pergola-content')) first.reportValidity();
      return false;
    },
    /** What was put right is no longer marked. */
    mend({ target }: FormEvent): void {
      if (isField(target) && errors[target.name]) setErrors({ ...errors, [target.name]: '' });
    },
  };
}

type Field = HTMLInputElement | HTMLSelectElement;
const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/** In the page's language, which need not be the browser's. */
function messageOf(field: Field): string {
  const { validity, type, validationMessage } = field;
  if (validity.valueMissing) return t('Please fill this in.');
  if (validity.tooShort) return t('At least {n} characters.', { n: (field as HTMLInputElement).minLength });
  return type === 'email' ? t('This is not a valid e-mail address.') : validationMessage;
}
