import { app, decimal, emailKey, fromMinor, type Id, type Minor, service, signText, verifyText, via } from 'pergola';
import { Currency, User } from '#addons/base';
import { SaleCompany } from '../../models/res-company.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { transferHours } from '../../settings.ts';
import { plural, t } from '../../texts.ts';
import { currencies } from '../currencies.ts';
import { paymentUntil, pendingUntil, transferUntil } from '../orders/expiry.ts';
import { Stock } from '../stock/stock.ts';
import { zonedTime } from '../zone.ts';
import { isIban } from './bank-account.ts';

/** Where a transfer goes. */
export interface BankDetails {
  readonly owner: string;
  readonly account: string | null;
  readonly bank: string | null;
  readonly bic: string | null;
  readonly isIban: boolean;
  /** What the customer writes on the transfer. */
  readonly reference: string;
  /** What is open of the order. */
  readonly amount: Minor;
  /** In major units, as it is typed into a bank's form. */
  readonly plainAmount: string;
  /** ISO code. */
  readonly currency: string;
}

/** What the link in the mail proves. */
const purpose = 'sale.confirm_address';

/**
 * Orders that wait for a transfer. Money that people send takes days, and whoever says that it comes need not send it. So what is limited is kept for hours,
 * and only for an address that was shown to be the customer's; until then, and for a network that keeps a lot unpaid already, as long as for any payment that
 * was begun. Needs rights lifted.
 */
export class Transfers extends service('sale.transfers', { ctx: app.ctx, stock: Stock }) {
  /**
   * Keeps what an order needs while its transfer is on its way, and says on the order until when it waits. What it held too long ago is held again if it is
   * still there. Needs the order's lock.
   */
  async keep(order: Id): Promise<void> {
    const row = await this.#read(order);
    const needs = await this.ctx.model(SaleOrderLine).needs(row.order_line);
    const until = needs.length === 0 ? await pendingUntil(this.ctx) : await this.#limitedUntil(row);
    await this.#orders.write(order, { wait_until: until });
    const short = await this.stock.hold(order, needs, until);
    // The rest is decided when the money is there.
    if (short.length > 0) await this.stock.extend(order, until);
  }

  /** Whether the order waits for its customer to confirm the address before it is kept any longer. */
  async waitsForAddress(order: Id): Promise<boolean> {
    const row = await this.#read(order);
    if (await this.#isConfirmed(row)) return false;
    return (await this.ctx.model(SaleOrderLine).needs(row.order_line)).length > 0;
  }

  /** Whether the address is known to be the customer's. */
  async isAddressConfirmed(order: Id): Promise<boolean> {
    return this.#isConfirmed(await this.#read(order));
  }

  /** Where the customer of an order confirms the address; only its mail leads there. */
  addressPath(order: Id, email: string): string {
    return `/payment/address/${order}/${signText(this.ctx.config.sessionSecret, purpose, `${order}:${email}`)}`;
  }

  /** Whether a token was made for this order with this address. */
  isAddressToken(order: Id, email: string, token: unknown): boolean {
    return verifyText(this.ctx.config.sessionSecret, purpose, `${order}:${email}`, token);
  }

  /** Where the transfer goes that an order waits for; null where it waits for none. */
  async awaited(order: Id): Promise<BankDetails | null> {
    const pending = await this.ctx.model('payment.transaction').count([
      ['sale_order_id', '=', order],
      ['state', '=', 'pending'],
      ['acquirer_id.provider', '=', 'transfer'],
    ]);
    return pending > 0 ? this.bankDetails(order) : null;
  }

  /** Where a transfer for an order goes. */
  async bankDetails(order: Id): Promise<BankDetails> {
    const { name, company_id, amount_open, currency_id } = await this.#orders.get(order, {
      select: {
        name: true,
        amount_open: true,
        currency_id: true,
        company_id: via(SaleCompany, { name: true, bank_account: true, bank_name: true, bank_bic: true }),
      },
    });
    const amount = Math.max(0, amount_open ?? 0);
    const units = (await currencies.get(this.ctx, [currency_id])).get(currency_id) ?? { digits: 2 };
    return {
      owner: company_id?.name ?? '',
      account: company_id?.bank_account ?? null,
      bank: company_id?.bank_name ?? null,
      bic: company_id?.bank_bic ?? null,
      isIban: isIban(company_id?.bank_account ?? null),
      reference: name ?? '',
      amount,
      plainAmount: decimal(fromMinor(amount, units)).toString(units.digits),
      currency: (await this.ctx.model(Currency).get(currency_id, { select: { name: true } })).name,
    };
  }

  /** What a customer should know before choosing a transfer, where something of the order is limited; else empty. */
  async choiceText(order: Id): Promise<string> {
    if (!(await this.waitsForAddress(order))) return '';
    const hours = await this.ctx.settings.get(transferHours);
    return plural(
      this.ctx,
      'We send you a link to confirm your e-mail address; then what you order is kept for you for {n} hour, until your transfer is here.',
      'We send you a link to confirm your e-mail address; then what you order is kept for you for {n} hours, until your transfer is here.',
      hours,
    );
  }

  /**
   * What the customer of an order that waits for a transfer is told, in sentences: until when, and that the address is to be confirmed. The email with
   * the button that confirms it doesn't refer to itself.
   */
  async waitingTexts(order: Id, place: 'page' | 'mail' = 'page'): Promise<string[]> {
    const { ctx } = this;
    const { wait_until, invoice_email } = await this.#orders.get(order, {
      select: { wait_until: true, invoice_email: true },
    });
    if (wait_until === null) return [];
    const moment = zonedTime(ctx, wait_until, 'medium');
    if (!(await this.waitsForAddress(order)))
      return [t(ctx, 'Your order waits for your transfer until {moment}. After that it is cancelled.', { moment })];
    const hours = await ctx.settings.get(transferHours);
    return [
      place === 'mail'
        ? t(ctx, 'Please confirm your email address with the button below.')
        : t(ctx, 'Please confirm your e-mail address: open the link in the email to {email}.', {
            email: invoice_email ?? '',
          }),
      plural(
        ctx,
        'What you ordered is kept for you until {moment}; once your address is confirmed, for {n} hour. After that the order is cancelled.',
        'What you ordered is kept for you until {moment}; once your address is confirmed, for {n} hours. After that the order is cancelled.',
        hours,
        { moment },
      ),
    ];
  }

  /** By its name: orders keep what they need through this. */
  get #orders() {
    return this.ctx.model('sale.order');
  }

  #read(order: Id) {
    return this.#orders.get(order, {
      select: { invoice_email: true, confirmed_email: true, partner_id: true, network: true, order_line: true },
    });
  }

  async #limitedUntil(order: OrderRow): Promise<Date> {
    const isTrusted = (await this.#isConfirmed(order)) && (await this.stock.mayKeep(order));
    return isTrusted ? transferUntil(this.ctx) : paymentUntil(this.ctx);
  }

  /** By the link of the mail, or because it is the address the customer's own account was confirmed with. */
  async #isConfirmed({ invoice_email: email, confirmed_email, partner_id }: OrderRow): Promise<boolean> {
    if (!email) return false;
    if (confirmed_email && emailKey(confirmed_email) === emailKey(email)) return true;
    if (partner_id === null) return false;
    const own = await this.ctx.model(User).find(
      [
        ['partner_id', '=', partner_id],
        ['email_verified', '=', true],
      ],
      { select: { email: true } },
    );
    return own.some((user) => user.email && emailKey(user.email) === emailKey(email));
  }
}

interface OrderRow {
  readonly id: Id;
  readonly invoice_email: string | null;
  readonly confirmed_email: string | null;
  readonly partner_id: Id | null;
  readonly network: string | null;
}
