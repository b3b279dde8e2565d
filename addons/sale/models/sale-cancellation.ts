import { type FieldsOf, f, type Id, type Ids, InvalidInput, type Minor, model, NotFound, type Values } from 'pergola';
import { mayOperate, models } from 'pergola/orm';
import { formatAmount } from '../services/formats.ts';
import { t } from '../texts.ts';
import { PaymentRefund } from './payment-refund.ts';
import { PaymentTransaction } from './payment-transaction.ts';
import { SaleOrder } from './sale-order.ts';

type CancellationValues = Values<FieldsOf<SaleCancellation>>;

/** Cancels a paid order after showing its payments, and refunds them in the same transaction if requested and permitted. */
export class SaleCancellation extends model(
  'sale.cancellation',
  {
    order_id: f.many2one('sale.order', { required: true, ondelete: 'cascade', index: true, label: 'Order' }),
    currency_id: f.many2one('res.currency', { related: 'order_id.currency_id' }),
    amount_there: f.money({ readonly: true, label: 'Amount paid' }),
    money_there: f.text({ readonly: true, label: 'Paid by' }),
    refund: f.boolean({
      default: (ctx) => mayOperate(ctx, ctx.get(models), 'payment.refund', 'create'),
      label: 'Refund the amount paid',
      help: 'Refunds everything to the original payment methods. Otherwise, the order shows a refund due.',
    }),
    reason: f.char({ label: 'Reason', help: 'Shown to the customer with the refund' }),
  },
  { order: 'id desc', nameField: 'order_id', label: 'Cancellation' },
) {
  override async beforeCreate(values: readonly CancellationValues[]): Promise<readonly CancellationValues[]> {
    const complete: CancellationValues[] = [];
    for (const value of values) complete.push({ ...value, ...(await this.#paymentValues(value)) });
    return super.beforeCreate(complete);
  }

  override async afterCreate(ids: Ids, values: readonly CancellationValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    for (const { order_id: order, refund, reason } of values) {
      if (typeof order !== 'number') continue;
      const payments = await this.#payments(order);
      await this.ctx
        .sudo() // The caller may write the order, and was shown the payments.
        .model(SaleOrder)
        .cancel([order]);
      if (refund)
        await this.ctx
          .model(PaymentRefund)
          .create(payments.map(({ id }) => ({ sale_order_id: order, transaction_id: id, reason: reason ?? null })));
    }
  }

  /** Reads the received payments, under the order's lock. */
  async #paymentValues({ order_id: order, refund }: CancellationValues): Promise<CancellationValues> {
    if (typeof order !== 'number') throw refused('order_id', t(this.ctx, 'Choose an order.'));
    if ((await this.ctx.model(SaleOrder).allowed([order], 'write')).length === 0)
      throw new NotFound('We can’t find this order.', { code: 'sale.no_order' });
    await this.ctx.lock(SaleOrder, [order]);
    if (refund && !mayOperate(this.ctx, this.ctx.get(models), 'payment.refund', 'create'))
      throw refused(
        'refund',
        t(this.ctx, 'You can’t refund payments. Cancel the order without a refund, then ask a sales manager.'),
      );
    const payments = await this.#payments(order);
    if (payments.length === 0) return { amount_there: 0, money_there: t(this.ctx, 'There’s nothing left to refund.') };
    const texts: string[] = [];
    for (const { reference, amount_left, currency_id, acquirer_id } of payments) {
      const amount = await formatAmount(this.ctx, amount_left ?? 0, currency_id);
      texts.push([amount, acquirer_id?.name, reference].filter(Boolean).join(' · '));
    }
    const { currency_id: currency } = await this.ctx
      .sudo() // Users who cancel an order may know its currency.
      .model(SaleOrder)
      .get(order, { select: { currency_id: true } });
    return {
      amount_there: payments.reduce(
        (sum, { amount_left, currency_id }) => (currency_id === currency ? sum + (amount_left ?? 0) : sum),
        0,
      ),
      money_there: texts.join('\n'),
    };
  }

  /** Finds payments with a refundable amount. */
  #payments(order: Id) {
    const refundableDomain: readonly ['amount_left', '>', Minor] = ['amount_left', '>', 0];
    return this.ctx
      .sudo() // Users who cancel an order may know its payments.
      .model(PaymentTransaction)
      .find([['sale_order_id', '=', order], refundableDomain], {
        select: { reference: true, amount_left: true, currency_id: true, acquirer_id: { name: true } },
        order: 'id',
      });
  }
}

function refused(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'sale.bad_cancellation', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'sale.cancellation': SaleCancellation;
  }
}
