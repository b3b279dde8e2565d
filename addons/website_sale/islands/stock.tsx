import { t } from 'pergola/browser';
import { useEffect } from 'react';
import type { z } from 'zod';
import { chosenVariant, stock } from './parts/product-state.ts';
import type schema from './stock.props.ts';

/** Stock level up to which visitors see the exact number. */
const EXACT_UP_TO = 5;

/** Stock level of the selected variant. */
export default function Stock({ levels, inCart, initialText }: z.infer<typeof schema>) {
  const variant = chosenVariant.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: as the page was made
  useEffect(() => stock.set({ levels, inCart }), []);
  const available = levels[variant];
  const isMine = inCart.includes(variant);
  return (
    <p className={`shop-stock${available === 0 && !isMine ? ' is-out' : ''}`} data-slot="stock" role="status">
      {variant === 0 ? initialText : available === undefined ? '' : stockText(available, isMine)}
    </p>
  );
}

function stockText(available: number, isMine: boolean): string {
  if (available === 0) return isMine ? t('The last ones are in your cart') : t('Sold out');
  return available <= EXACT_UP_TO ? t('Only {n} left', { n: available }) : t('In stock');
}
