import { Currency } from '@pergola/base';
import { app, type Id, service } from 'pergola';
import { PaymentTransaction } from '../../models/payment-transaction.ts';
import { t } from '../../texts.ts';
import { providerOf, type RefundOutcome } from './payment-providers.ts';

/** A refund without a response from its provider. */
export interface UnansweredRefund {
  /** Calls the provider over the network: use it outside of transactions. */
  send(): Promise<RefundOutcome>;
}

/** Connects refunds with their providers. Needs elevated rights. */
export class Refunds extends service('sale.refunds', { ctx: app.ctx }) {
  /** Returns the refund if its provider must still be called, or null if it has responded, is manual, or has no provider. */
  async unanswered(id: Id): Promise<UnansweredRefund | null> {
    const row = await this.#refunds.first(
      [
        ['id', '=', id],
        ['state', '=', 'draft'],
      ],
      { select: { reference: true, amount: true, reason: true, transaction_id: true } },
    );
    if (!row) return null;
    const payment = await this.ctx.model(PaymentTransaction).get(row.transaction_id, {
      select: {
        reference: true,
        acquirer_reference: true,
        currency_id: true,
        acquirer_id: { provider: true, secret_key: true },
      },
    });
    const provider = providerOf(this.ctx, payment.acquirer_id?.provider ?? '');
    if (!provider?.refund || !payment.acquirer_id) return null;
    const { name: currency } = await this.ctx.model(Currency).get(payment.currency_id, { select: { name: true } });
    const facts = {
      reference: row.reference,
      amount: row.amount,
      currency,
      reason: row.reason,
      payment: { reference: payment.reference, acquirerReference: payment.acquirer_reference },
      acquirer: { id: payment.acquirer_id.id, secret: payment.acquirer_id.secret_key },
    };
    return { send: async () => provider.refund?.(this.ctx, facts) ?? { state: 'pending' } };
  }

  /** Records the provider's response. */
  async answered(id: Id, outcome: RefundOutcome): Promise<void> {
    await this.#refunds.advance([id], outcome);
  }

  /** Records that the provider was unreachable. It may have made the refund, so the call will be repeated. */
  async unreachable(id: Id): Promise<void> {
    await this.#refunds.lock(id);
    const { state } = await this.#refunds.get(id, { select: { state: true } });
    if (state !== 'draft') return;
    const message = t(this.ctx, 'The provider hasn’t answered yet. We’ll try again.');
    await this.#refunds.write(id, { state_message: message });
  }

  /** Referenced by name, because refunds import this service. */
  get #refunds() {
    return this.ctx.model('payment.refund');
  }
}
