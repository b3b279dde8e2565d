import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { type Field, isField } from './parts/filter-field.ts';

/**
 * Product list with its filters and sort order, which apply immediately; in the drawer on phones, its button applies all of them at once.
 * Without JavaScript, there are submit buttons.
 */
export default function ProductList({ children }: { readonly children?: ReactNode }) {
  const omittedFields = useRef<readonly Field[]>([]);
  // Re-enables the fields for visitors who navigate back.
  useEffect(() => {
    window.onpageshow = () => {
      for (const field of omittedFields.current) field.disabled = false;
    };
  }, []);
  const changed = ({ target }: FormEvent): void => {
    if (!isField(target) || target.closest(':popover-open')) return;
    const { form, name, id } = target;
    if (!form || (name !== 'attrib' && name !== 'order')) return;
    // The next page focuses the same field.
    form.action = Object.assign(new URL(form.action), { hash: id }).href;
    form.requestSubmit();
  };
  /** Leaves an empty search and the default order out of the URL. */
  const submitted = ({ target }: FormEvent): void => {
    if (!(target instanceof HTMLFormElement)) return;
    omittedFields.current = [...target.elements]
      .filter(isField)
      .filter(({ name, value }) => value === '' || (name === 'order' && value === 'featured'));
    for (const field of omittedFields.current) field.disabled = true;
  };
  return (
    <div onInput={changed} onSubmit={submitted}>
      {children}
    </div>
  );
}
