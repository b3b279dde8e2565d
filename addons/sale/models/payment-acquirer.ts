import { randomBytes } from 'node:crypto';
import { Company } from '@pergola/base';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import { providerOf } from '../services/payment/payment-providers.ts';

/** A payment method. Its behaviour comes from its provider; see `paymentProviders`. */
export class PaymentAcquirer extends model(
  'payment.acquirer',
  {
    name: f.char({ required: true, translate: true, label: 'Name' }),
    provider: f.char({ required: true, size: 40, help: 'Code of the payment provider, such as transfer or test_card' }),
    company_id: f.many2one('res.company', { empty: 'all', ondelete: 'restrict' }),
    pre_msg: f.html({ translate: true, label: 'Message before payment' }),
    post_msg: f.html({ translate: true, label: 'Message after payment' }),
    validation: f.selection(
      { manual: 'Manual', automatic: 'Automatic' },
      { default: 'automatic', label: 'Confirmation' },
    ),
    environment: f.selection({ test: 'Test', prod: 'Production' }, { default: 'test' }),
    website_published: f.boolean({ default: true, label: 'Available to customers', copy: false }),
    not_offered: f.char({ compute: 'computeNotOffered', label: 'Setup needed' }),
    sequence: f.integer({ default: 10 }),
    image: f.image({ label: 'Logo' }),
    /** Verifies the provider's notifications. */
    secret_key: f.char({
      required: true,
      secret: true,
      copy: false,
      size: 128,
      default: newKey,
    }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Payment method' },
) {
  /** Explains why a published method isn't offered to customers, for each company that uses it. */
  async computeNotOffered(ids: Ids): Promise<Map<Id, string>> {
    const published = await this.search([
      ['id', 'in', ids],
      ['website_published', '=', true],
      ['active', 'in', [true, false]],
    ]);
    const lacks = Map.groupBy(await this.#findMissing(published), ({ acquirer }) => acquirer);
    return new Map([...lacks].map(([id, reasons]) => [id, reasons.map(({ reason }) => reason).join(' ')]));
  }

  /** Opens the company whose bank account is missing. */
  async openCompany(ids: Ids): Promise<{ readonly url: string } | null> {
    const [lack] = await this.#findMissing(ids);
    return lack ? { url: `/web/m/res.company/${lack.company}?menu=web.menu_companies` } : null;
  }

  /** Lists missing requirements of payment methods by company. */
  async #findMissing(ids: Ids): Promise<{ readonly acquirer: Id; readonly company: Id; readonly reason: string }[]> {
    const system = this.ctx.sudo(); // Staff who see the method may know what it lacks; opening a company checks the rights on it.
    const companies = await system.model(Company).search([], { order: 'id' });
    const lacks: { acquirer: Id; company: Id; reason: string }[] = [];
    for (const { id, provider: code, company_id } of await this.read(ids, {
      select: { provider: true, company_id: true },
    })) {
      const provider = providerOf(this.ctx, code);
      for (const company of company_id === null ? companies : [company_id]) {
        const reason = await provider?.missing?.(system, company);
        if (reason) lacks.push({ acquirer: id, company, reason });
      }
    }
    return lacks;
  }

  /** Replaces the key when the provider changes: the previous provider knows it. */
  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<PaymentAcquirer>>,
  ): Promise<Values<FieldsOf<PaymentAcquirer>>> {
    if (values.provider === undefined || 'secret_key' in values) return super.beforeWrite(ids, values);
    const rows = await this.read(ids, { select: { provider: true } });
    const isMoved = rows.some(({ provider }) => provider !== values.provider);
    return super.beforeWrite(ids, isMoved ? { ...values, secret_key: newKey() } : values);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('provider') && !changed.has('environment')) return;
    for (const row of await this.read(ids, { select: { provider: true, environment: true } })) {
      const provider = providerOf(this.ctx, row.provider);
      if (!provider) {
        const message = 'No enabled app supports this provider.';
        throw new InvalidInput(message, { code: 'sale.no_provider', fields: { provider: message } });
      }
      if (provider.playsOnly && row.environment !== 'test') {
        const message = 'This provider is for testing and takes no real payments. Keep it in the test environment.';
        throw new InvalidInput(message, { code: 'sale.plays_only', fields: { environment: message } });
      }
    }
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

declare module 'pergola' {
  interface Models {
    'payment.acquirer': PaymentAcquirer;
  }
}
