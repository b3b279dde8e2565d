import { t } from 'pergola/browser';
import { useEffect } from 'react';
import type { z } from 'zod';
import { chosenVariant, stock } from './parts/product-state.ts';
import type schema from './stock.props.ts';

/** Stock level up to which visitors see the exact number. */
const FEW = 5;

/** Stock level of the selected variant. */
export default function Stock({ levels, mine, shown }: z.infer<typeof schema>) {
  const variant = chosenVariant.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: as the page was made
  useEffect(() => stock.set({ levels, mine }), []);
  const left = levels[variant];
  const isMine = mine.includes(variant);
  return (
    <p className={`shop-stock${left === 0 && !isMine ? ' is-out' : ''}`} data-slot="stock" role="status">
      {variant === 0 ? shown : left === undefined ? '' : stockText(left, isMine)}
    </p>
  );
}

function stockText(left: number, isMine: boolean): string {
  if (left === 0) return isMine ? t('All that are left are in your cart') : t('Sold out');
  return left <= FEW ? t('Only {n} left', { n: left }) : t('In stock');
}
