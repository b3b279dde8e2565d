import { quantityFault, quantityOf } from '@pergola/website/kit';
import { notify, rpc, url } from 'pergola/browser';
import { type UsedAction, useAction } from 'pergola/islands';
import { useEffect, useRef, useState } from 'react';
import type { cartUpdateJson, unitPrice as unitPriceRoute } from '../../routes/cart.ts';
import { isUnitDiscount } from '../../services/catalogue/discounts.ts';
import type { Line } from '../cart.props.ts';
import { cartNews } from './cart-news.ts';

/** A line with the text of its quantity field, which may not be saved yet. */
export interface Row extends Line {
  readonly text: string;
}

export interface Cart {
  readonly rows: readonly Row[];
  /** HTML of the updated totals; null while the initial ones are current. */
  readonly total: string | null;
  /** Sets the text of a line's field. */
  readonly write: (id: number, text: string) => void;
  /** Saves the quantity in the line's field. */
  readonly tell: (id: number) => void;
  /** Navigates once all typed quantities are saved; returns false if nothing is pending. */
  readonly leave: (address: string) => boolean;
  readonly change: UsedAction<never, unknown>;
}

/**
 * Manages the lines of the cart and their changes. Sends one change at a time; of several changes to a line meanwhile, only the last is
 * sent.
 */
export function useCart(lines: readonly Line[]): Cart {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    lines.map((line) => ({ ...line, text: String(line.quantity) })),
  );
  const [total, setTotal] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<readonly number[]>([]);
  const [leaving, setLeaving] = useState<string | null>(null);
  const sent = useRef<Row>(null);
  const edit = (id: number, change: (row: Row) => Partial<Row>): void =>
    setRows((currentRows) => currentRows.map((row) => (row.id === id ? { ...row, ...change(row) } : row)));

  const change = useAction<typeof cartUpdateJson>('/shop/cart/update_json', {
    form: url('/shop/cart/update_json/form'),
    done: (answer) => {
      const sentRow = sent.current;
      sent.current = null;
      if (!answer?.quantity) {
        // Drops the query, which refers to an earlier action.
        location.assign(location.pathname);
        return;
      }
      const { line_id, quantity, lines: amounts, warning } = answer;
      setRows((currentRows) =>
        currentRows.map((row) => ({ ...row, amount: { ...row.amount, value: amounts[row.id] ?? 0 } })),
      );
      edit(Number(line_id), ({ text }) => ({ quantity, text: text === sentRow?.text ? String(quantity) : text }));
      setTotal(answer['website_sale.total']);
      cartNews.set({ quantity: answer.cart_quantity });
      if (warning) notify(warning, 'alert');
      if (sentRow)
        void unitPrice(sentRow, quantity).then(
          (price) => price !== undefined && edit(sentRow.id, withUnitPrice(price)),
        );
    },
    failed: ({ code }) => {
      const sentRow = sent.current;
      sent.current = null;
      setLeaving(null);
      // The line was removed, or the cart paid, in another window: reloads the outdated page.
      if (code === 404) location.assign(`${location.pathname}?note=changed`);
      else if (sentRow) edit(sentRow.id, (row) => ({ text: String(row.quantity) }));
      return code === 404;
    },
  });

  useEffect(() => {
    if (change.pending || sent.current) return;
    const [id, ...rest] = waiting;
    if (id === undefined) {
      if (leaving !== null) location.assign(leaving);
      return;
    }
    setWaiting(rest);
    const row = rows.find((candidate) => candidate.id === id);
    if (!row || !isOpen(row) || quantityFault(row.text) !== null) return;
    sent.current = row;
    change.run({ line_id: row.id, product_id: row.product, set_qty: quantityOf(row.text, 0, row.most) });
  }, [change, waiting, leaving, rows]);

  const tell = (...ids: number[]): void => setWaiting((queue) => [...new Set([...queue, ...ids])]);
  return {
    rows,
    total,
    write: (id, text) => edit(id, () => ({ text })),
    tell,
    leave(address) {
      const open = rows.filter(isOpen).map(({ id }) => id);
      if (open.length === 0 && !change.pending) return false;
      // Stays on the page to show the error at the quantity.
      if (rows.some(({ text }) => quantityFault(text) !== null)) return true;
      tell(...open);
      setLeaving(address);
      return true;
    },
    change,
  };
}

const isOpen = ({ text, quantity }: Row): boolean => text !== String(quantity);

/** Loads the unit price, which may depend on the quantity. */
async function unitPrice({ id, product }: Row, quantity: number): Promise<number | undefined> {
  const prices = await rpc<typeof unitPriceRoute>('/shop/get_unit_price', {
    product_ids: [product],
    add_qty: quantity,
    use_order_pricelist: true,
    line_id: id,
  }).catch(() => null); // Keeps the unit price on the page; the totals are correct.
  return prices?.[Number(product)];
}

function withUnitPrice(value: number): (row: Row) => Partial<Row> {
  return ({ unitPrice: previousPrice, list }) => ({
    unitPrice: { ...previousPrice, value },
    discount: isUnitDiscount(value, list.value),
  });
}
