import { type OrderProblem, SaleOrder } from '#addons/sale';
import { extend, f, type Id } from '#core';
import { ShopOrderLine } from './sale-order-line.ts';

type Shown = Readonly<Record<string, string>>;

/** Orders that begin in the shop. */
export const ShopOrder = extend(
  SaleOrder,
  {
    website_id: f.many2one('website', { ondelete: 'set null', index: true, readonly: true, label: 'Website' }),
    customer_note: f.text({ size: 1000, copy: false, label: 'Word of the customer' }),
  },
  (Base) =>
    class extends Base {
      /**
       * What the address form brought beside its own fields, in the transaction that takes the address; layers take theirs (names of attendees).
       * Throw InvalidInput with `fields` for what does not fit: it is shown beside them.
       */
      async checkoutSubmitted(_id: Id, _fields: Readonly<Record<string, unknown>>): Promise<void> {}

      /**
       * What the address form shows beside its own fields, as values of its template; layers add theirs under names of their own. `typed` and `errors` are
       * those of a form that was refused.
       */
      async checkoutShown(_id: Id, _typed: Shown, _errors: Shown): Promise<Readonly<Record<string, unknown>>> {
        return {};
      }

      /** What is taken back from the shop can no longer be bought, from a cart filled before either. */
      override async problems(id: Id): Promise<OrderProblem[]> {
        const problems = await super.problems(id);
        const system = this.ctx.sudo(); // Whoever has the order may know why it cannot be paid.
        const { is_cart, order_line } = await system
          .model(SaleOrder)
          .get(id, { select: { is_cart: true, order_line: { name: true } } });
        if (!is_cart) return problems;
        const listed = await system.model(ShopOrderLine).listed(order_line.map((line) => line.id));
        const told = new Set(problems.map(({ line }) => line));
        const gone = order_line.filter((line) => !listed.has(line.id) && !told.has(line.id));
        return [
          ...problems,
          ...gone.map((line) => ({
            code: 'website_sale.not_listed',
            message: this.ctx.t('“{name}” is no longer sold.', { name: line.name.split('\n', 1)[0] ?? '' }),
            line: line.id,
          })),
        ];
      }
    },
);
