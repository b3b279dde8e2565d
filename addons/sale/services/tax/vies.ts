import { app, service, z } from 'pergola';
import { viesUrl } from '../../settings.ts';
import type { TaxNumber } from './tax-number.ts';

/** API of the European Commission. */
const OFFICIAL = 'https://ec.europa.eu/taxation_customs/vies/rest-api';

/** How long checkout waits for the register, in milliseconds. */
const ANSWER_MS = 4_000;

/** Response of the register for a number. */
export interface ViesAnswer {
  readonly isValid: boolean;
  /** Proves that the number was checked; only given to sellers who state their own number. */
  readonly consultation: string | null;
}

const answerShape = z.object({ valid: z.boolean(), requestIdentifier: z.string().nullish() });

/** Client of the EU register of VAT numbers. Never use it within a transaction: a response may take seconds. */
export class Vies extends service('sale.vies', { ctx: app.ctx }) {
  /**
   * Looks up a number in the register.
   *
   * @param seller the VAT number of the seller, or null
   * @returns null if the register, or the member state behind it, is unreachable or doesn't respond
   */
  async ask(taxNumber: TaxNumber, seller: TaxNumber | null): Promise<ViesAnswer | null> {
    // Development sites and tests don't look up made-up numbers.
    const base = (await this.ctx.settings.get(viesUrl)) || (this.ctx.config.production ? OFFICIAL : '');
    if (base === '') return null;
    try {
      const response = await fetch(`${base.replace(/\/+$/, '')}/check-vat-number`, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({
          countryCode: taxNumber.prefix,
          vatNumber: taxNumber.number.slice(2),
          ...(seller ? { requesterMemberStateCode: seller.prefix, requesterNumber: seller.number.slice(2) } : {}),
        }),
      });
      // Rejections are JSON without `valid`, some of them with status 200.
      const { success, data } = answerShape.safeParse(await response.json());
      if (!response.ok || !success) return null;
      return { isValid: data.valid, consultation: data.requestIdentifier || null };
    } catch (error) {
      this.ctx.log.info({ err: error, number: taxNumber.number }, 'VIES could not be asked');
      return null;
    }
  }
}
