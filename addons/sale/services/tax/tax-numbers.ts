import { Company, Country } from '@pergola/base';
import { app, type Ctx, type Id, service } from 'pergola';
import { writeBeside } from 'pergola/http';
import { VatCheck } from '../../models/sale-vat-check.ts';
import { reverseCharge } from '../../settings.ts';
import { readTaxNumber, reverseChargeNumber, type TaxNumber } from './tax-number.ts';
import { Vies, type ViesAnswer } from './vies.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How long a result of the register stays valid without another request. */
const FRESH_FOR = DAY;
/** How long a number counts as confirmed while the register is unreachable. */
const CONFIRMED_FOR = 30 * DAY;
/** Pause after the register failed to respond, so that checkouts don't wait for it. */
const RETRY_PAUSE = MINUTE;

/** A tax number on an invoice address. */
export interface InvoicedNumber {
  readonly vat?: string | null;
  /** Country of the invoice address. */
  readonly country?: Id | null;
  readonly zip?: string | null;
  readonly company: Id;
}

/** Status of the tax number of an order. */
export interface NumberStatus {
  /** `null` without a number; `other`: the number doesn't allow reverse charge, regardless of the register. */
  readonly state: 'valid' | 'unverified' | 'invalid' | 'other' | null;
  readonly checked: Date | null;
  readonly consultation: string | null;
  /** Whether the order can be sold without tax under the number. */
  readonly isReverseCharge: boolean;
  /** Number in the format of the register, if it makes sense to check it. */
  readonly number: TaxNumber | null;
}

/** A number and the register's response; `answer` is null if it didn't respond. */
export interface AskedNumber {
  readonly number: TaxNumber;
  readonly answer: ViesAnswer | null;
}

const noNumber: NumberStatus = {
  state: null,
  checked: null,
  consultation: null,
  isReverseCharge: false,
  number: null,
};

/** Decides which tax numbers lead to reverse charge, and checks them in the EU register. Needs elevated rights. */
export class TaxNumbers extends service('sale.tax_numbers', { ctx: app.ctx, vies: Vies }) {
  /** Returns the known status of a number, without contacting the register. */
  async statusOf(invoiced: InvoicedNumber): Promise<NumberStatus> {
    const { vat } = invoiced;
    if (!vat?.trim()) return noNumber;
    const number = await this.#reverseChargeNumber(vat, invoiced);
    if (!number) return { ...noNumber, state: 'other' };
    const check = await this.#check(number);
    const state = check?.state === 'valid' || check?.state === 'invalid' ? check.state : 'unverified';
    const isTrusted = state === 'unverified' && (await this.trustsUnverified());
    return {
      state,
      checked: state === 'unverified' ? null : (check?.asked_date ?? null),
      consultation: check?.consultation ?? null,
      isReverseCharge: state === 'valid' || isTrusted,
      number,
    };
  }

  /** Whether unconfirmed numbers lead to reverse charge. */
  async trustsUnverified(): Promise<boolean> {
    return (await this.ctx.settings.get(reverseCharge)) === 'unverified';
  }

  /**
   * Checks a number in the register if it may lead to reverse charge. Never call it within a transaction: it may take seconds.
   *
   * @returns the result to `keep`; null if there is nothing to check, or the register responded recently
   */
  async ask(invoiced: InvoicedNumber): Promise<AskedNumber | null> {
    const number = invoiced.vat ? await this.#reverseChargeNumber(invoiced.vat, invoiced) : null;
    if (!number || !(await this.#isDue(number))) return null;
    return { number, answer: await this.vies.ask(number, await this.#sellerNumber(invoiced.company)) };
  }

  /** Stores a result of the register. Requires a writing context. */
  async keep({ number: { number }, answer }: AskedNumber): Promise<void> {
    const checks = this.ctx.model(VatCheck);
    const check = await checks.first([['number', '=', number]], { select: { state: true, asked_date: true } });
    const now = this.ctx.now().getTime();
    // A single day without a response doesn't revoke a confirmation.
    const isStillConfirmed = check?.state === 'valid' && now - check.asked_date.getTime() < CONFIRMED_FOR;
    if (!answer && isStillConfirmed) return;
    const values = {
      state: answer ? (answer.isValid ? ('valid' as const) : ('invalid' as const)) : ('unreachable' as const),
      asked_date: new Date(now),
      consultation: answer?.consultation ?? null,
    };
    if (check) await checks.write(check.id, values);
    else await checks.create({ number, ...values });
  }

  /** Checks a number and stores the result in a separate transaction: for `prepare` of routes. */
  async verify(invoiced: InvoicedNumber): Promise<void> {
    const answer = await this.ask(invoiced);
    if (answer) await writeBeside(this.ctx, (writing) => writing.get(TaxNumbers).keep(answer));
  }

  async #reverseChargeNumber(vat: string, { country, zip, company }: InvoicedNumber): Promise<TaxNumber | null> {
    const code = await codeOf(this.ctx, country ?? null);
    if (code === null) return null;
    return reverseChargeNumber(vat, { seller: (await this.#seller(company)).country, country: code, zip: zip ?? null });
  }

  async #sellerNumber(company: Id): Promise<TaxNumber | null> {
    const { country, vat } = await this.#seller(company);
    return vat ? readTaxNumber(vat, country) : null;
  }

  async #seller(company: Id) {
    const { partner_id: partner } = await this.ctx
      .model(Company)
      .get(company, { select: { partner_id: { vat: true, country_id: { code: true } } } });
    return { country: partner?.country_id?.code ?? null, vat: partner?.vat ?? null };
  }

  /** Returns the register's last result, while it is valid. */
  async #check({ number }: TaxNumber) {
    const check = await this.ctx
      .model(VatCheck)
      .first([['number', '=', number]], { select: { state: true, asked_date: true, consultation: true } });
    return check && this.ctx.now().getTime() - check.asked_date.getTime() < CONFIRMED_FOR ? check : null;
  }

  async #isDue(number: TaxNumber): Promise<boolean> {
    const now = this.ctx.now().getTime();
    const check = await this.#check(number);
    if (check && check.state !== 'unreachable' && now - check.asked_date.getTime() < FRESH_FOR) return false;
    const failures = await this.ctx.model(VatCheck).count([
      ['state', '=', 'unreachable'],
      ['asked_date', '>', new Date(now - RETRY_PAUSE)],
    ]);
    return failures === 0;
  }
}

/** Returns the ISO code of a country, or null. */
export async function codeOf(ctx: Ctx, country: Id | null): Promise<string | null> {
  if (country === null) return null;
  const [row] = await ctx.model(Country).read([country], { select: { code: true } });
  return row?.code ?? null;
}
