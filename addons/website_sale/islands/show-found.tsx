import { rpc } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { countProducts } from '../routes/shop.ts';
import { isField } from './parts/filter-field.ts';
import type schema from './show-found.props.ts';

/** Delay after the last change before products are counted, in milliseconds. */
const COUNT_DELAY = 200;

/**
 * Applies the filters chosen in the drawer and shows the number of matching products in advance. Without JavaScript, it also serves wide
 * windows.
 */
export default function ShowFound({ label: initialLabel, category }: z.infer<typeof schema>) {
  const [label, setLabel] = useState(initialLabel);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    let timer = 0;
    let last = 0;
    const ask = async (form: HTMLFormElement): Promise<void> => {
      last += 1;
      const question = last;
      const filters = new FormData(form);
      const input = {
        search: String(filters.get('search') ?? ''),
        attrib: filters.getAll('attrib').map(String),
        category,
      };
      // If counting fails, the button keeps its label and still works.
      const answer = await rpc<typeof countProducts>('/shop/count', input).catch(() => null);
      if (answer && question === last) setLabel(answer.label);
    };
    const changed = ({ target }: Event): void => {
      const form = button.current?.form;
      if (!form || !isField(target) || target.form !== form || target.name !== 'attrib') return;
      clearTimeout(timer);
      timer = window.setTimeout(() => void ask(form), COUNT_DELAY);
    };
    document.addEventListener('input', changed);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('input', changed);
    };
  }, [category]);
  return (
    <button ref={button} className="btn btn-primary shop-apply" type="submit" form="shop-filter" data-slot="apply">
      <span aria-live="polite">{label}</span>
    </button>
  );
}
