import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { type Field, isField } from './parts/filter-field.ts';

/**
 * The list of products, its content: filters and sorting take effect as they are chosen; in the drawer of a phone all at once, by its button. Without
 * JavaScript there are buttons for it.
 */
export default function ProductList({ children }: { readonly children?: ReactNode }) {
  const omittedFields = useRef<readonly Field[]>([]);
  // Who comes back finds a form that works.
  useEffect(() => {
    window.onpageshow = () => {
      for (const field of omittedFields.current) field.disabled = false;
    };
  }, []);
  const changed = ({ target }: FormEvent): void => {
    if (!isField(target) || target.closest(':popover-open')) return;
    const { form, name, id } = target;
    if (!form || (name !== 'attrib' && name !== 'order')) return;
    // The page that comes has the focus where it was.
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
