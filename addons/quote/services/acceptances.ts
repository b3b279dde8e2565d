import { createHash } from 'node:crypto';
import { changesSince, contentVersion, holdsForMoney, type OrderContent, stableJson } from '@pergola/sale';
import { app, Conflict, type FileRef, type Id, InvalidInput, service } from 'pergola';
import { signDocument } from '../jobs/sign-document.ts';
import { isExpired, QuotedOrder } from '../models/sale-order.ts';
import { SaleOrderSignature } from '../models/sale-order-signature.ts';
import { t } from '../texts.ts';

/** Acceptance of a quotation by its customer. */
export interface Acceptance {
  readonly signer: string;
  /** Drawn signature, or the typed name as a drawing. */
  readonly signature: FileRef;
  readonly ip: string;
  /**
   * Version of the order content shown on the page, and its total in minor units. Without a version, the last one that was sent to the
   * customer counts, if known, including their own changes since.
   */
  readonly version?: string | undefined;
  readonly total?: number | undefined;
}

/** Result of an acceptance. */
export interface AcceptanceOutcome {
  readonly accepted: boolean;
  /** Differences from the version the customer saw, in the context's language; empty if it was refused for another reason. */
  readonly changes: readonly string[];
}

/** Accepts quotations: signature, order, message and document. */
export class Acceptances extends service('quote.acceptances', { ctx: app.ctx }) {
  /**
   * Accepts a quotation on behalf of the customer, once, in a single transaction for signature, order and message. Refuses a quotation that
   * isn't sent, is already accepted, declined or expired, has changed since it was read, or contains an unavailable item. Needs the context
   * from `Quotations.find`.
   */
  async accept(id: Id, acceptance: Acceptance): Promise<AcceptanceOutcome> {
    const { ctx: system } = this;
    const orders = system.model(QuotedOrder);
    await system.lock(QuotedOrder, [id]);
    // Products or events that just changed may not have been reviewed yet.
    await orders.review([id]);
    const order = await orders.get(id, {
      select: { state: true, validity_date: true, seen_version: true, amount_total: true },
    });
    if (order.state !== 'sent' || isExpired(system, order.validity_date)) return refused([]);
    const { version = order.seen_version, total = order.amount_total } = acceptance;
    const changes = version === null ? [] : changesSince(system, version, await orders.content(id));
    if (changes.length > 0 || total !== order.amount_total) return refused(changes);
    const problems = (await orders.problems(id)).filter(holdsForMoney);
    if (problems.length > 0) return refused(problems.map(({ message }) => message));
    try {
      await system.savepoint(() => this.#sign(id, acceptance));
      return { accepted: true, changes: [] };
    } catch (error) {
      // Sold out or being paid; nothing was signed.
      if (error instanceof Conflict || error instanceof InvalidInput) return refused([]);
      throw error;
    }
  }

  async #sign(id: Id, { signer, signature, ip }: Acceptance): Promise<void> {
    const { ctx: system } = this;
    const orders = system.model(QuotedOrder);
    const { amount_total, currency_id } = await orders.get(id, { select: { amount_total: true, currency_id: true } });
    const content = await orders.contentToStore(id);
    const signed = {
      order_id: id,
      signer,
      date: system.now(),
      ip,
      picture: signature,
      content,
      amount_total,
      currency_id,
    };
    const hash = signatureHash(signed);
    const signatureId = await system
      .model(SaleOrderSignature)
      .create({ ...signed, version: contentVersion(content), hash });
    await orders.write(id, {
      signature_id: signatureId,
      signer,
      signature,
      signed_date: signed.date,
      signed_ip: ip,
      signed_hash: hash,
      signed_document_id: null,
    });
    await orders.confirm([id]);
    await orders.postAsCustomer(id, { notice: (ctx) => t(ctx, 'Order signed by {signer}', { signer }) });
    await system.jobs.enqueue(signDocument, { signature: signatureId }, { key: String(signatureId) });
  }
}

function refused(changes: readonly string[]): AcceptanceOutcome {
  return { accepted: false, changes };
}

/** Data that a signature stores and its fingerprint covers. */
export interface SignedFacts {
  readonly order_id: Id;
  readonly signer: string;
  readonly date: Date;
  readonly ip: string | null;
  readonly picture: FileRef;
  readonly content: OrderContent;
  readonly amount_total: number | null;
  readonly currency_id: Id;
}

/** Returns the fingerprint of a signature, which covers everything that was signed. */
export function signatureHash({ picture, date, content, ...facts }: SignedFacts): string {
  return fingerprint([stableJson(facts), stableJson(content), date.toISOString(), picture.hash]);
}

/** Returns the SHA-256 hash of the parts, in hexadecimal digits. */
export function fingerprint(parts: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
