import { createHash } from 'node:crypto';
import { app, Conflict, type FileRef, type Id, InvalidInput, service } from '#core';
import { signDocument } from '../jobs/sign-document.ts';
import { isExpired, QuotedOrder } from '../models/sale-order.ts';

/** What a customer signs. */
export interface Acceptance {
  readonly signer: string;
  /** As drawn, or a name drawn as it was typed. */
  readonly signature: FileRef;
  readonly ip: string;
  /** What they saw: the order's version and total in minor units. Without a version it is what they were sent, if it is known, and have changed themselves since. */
  readonly version?: string | undefined;
  readonly total?: number | undefined;
}

interface Signed {
  readonly version: string | null;
  readonly amount_total: number | null;
  readonly currency_id: Id;
}

/** Accepting a quotation: signature, order, message and document. */
export class Acceptances extends service('quote.acceptances', { ctx: app.ctx }) {
  /**
   * Accepts a quotation in the customer's name, once: signature, order and message come together or not at all. Answers false when it cannot be
   * accepted: not sent, already accepted, declined, expired, changed since it was read, or no longer to be had. For whoever the quotation was found for by `Quotations.find`.
   */
  async accept(id: Id, acceptance: Acceptance): Promise<boolean> {
    const { ctx: system } = this;
    await system.lock(QuotedOrder, [id]);
    const order = await system.model(QuotedOrder).get(id, {
      select: {
        state: true,
        validity_date: true,
        version: true,
        seen_version: true,
        amount_total: true,
        currency_id: true,
      },
    });
    const { version = order.seen_version ?? order.version, total = order.amount_total } = acceptance;
    const asSeen = version === order.version && total === order.amount_total;
    if (order.state !== 'sent' || isExpired(system, order.validity_date) || !asSeen) return false;
    try {
      await system.savepoint(() => this.#sign(id, acceptance, order));
      return true;
    } catch (error) {
      // Something is sold out, or is being paid for: nothing was signed.
      if (error instanceof Conflict || error instanceof InvalidInput) return false;
      throw error;
    }
  }

  async #sign(id: Id, acceptance: Acceptance, order: Signed): Promise<void> {
    const { ctx: system } = this;
    const { signer, signature, ip } = acceptance;
    const now = system.now();
    const orders = system.model(QuotedOrder);
    await orders.write(id, {
      signer,
      signature,
      signed_date: now,
      signed_ip: ip,
      signed_hash: fingerprint([
        id,
        order.version,
        order.amount_total,
        order.currency_id,
        signer,
        signature.hash,
        now.toISOString(),
        ip,
      ]),
    });
    await orders.confirm([id]);
    await orders.postAsCustomer(id, { notice: (ctx) => ctx.t('Order signed by {signer}', { signer }) });
    await system.jobs.enqueue(signDocument, { order: id }, { key: String(id) });
  }
}

/** Stands for everything that was signed: another one when any of it were another. */
export function fingerprint(parts: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
