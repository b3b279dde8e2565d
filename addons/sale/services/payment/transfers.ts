import { Currency, User } from '@pergola/base';
import { app, decimal, emailKey, fromMinor, type Id, type Minor, service, signText, verifyText, via } from 'pergola';
import { SaleCompany } from '../../models/res-company.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { transferHours } from '../../settings.ts';
import { plural, t } from '../../texts.ts';
import { currencies } from '../currencies.ts';
import { paymentUntil, pendingUntil, transferUntil } from '../orders/expiry.ts';
import { Stock } from '../stock/stock.ts';
import { zonedTime } from '../zone.ts';
import { isIban } from './bank-account.ts';

/** Bank details for a transfer. */
export interface BankDetails {
  readonly owner: string;
  readonly account: string | null;
  readonly bank: string | null;
  readonly bic: string | null;
  readonly isIban: boolean;
  /** Reference for the customer to enter on the transfer. */
  readonly reference: string;
  /** Amount due. */
  readonly amount: Minor;
  /** In major units, as entered in a bank's form. */
  readonly plainAmount: string;
  /** ISO code. */
  readonly currency: string;
}

/** Purpose of the token in the confirmation link. */
const purpose = 'sale.confirm_address';

/**
 * Orders that await a transfer. Transfers take days, and an announced one may never be sent. Limited items are therefore held for hours
 * only, and only for customers who confirmed their email address. Until then, and for networks that already hold a lot unpaid, holds last
 * as long as for other started payments. Needs elevated rights.
 */
export class Transfers extends service('sale.transfers', { ctx: app.ctx, stock: Stock }) {
  /**
   * Holds the needs of an order while its transfer is pending, and stores the deadline on the order. Renews expired holds if stock is still
   * available. Needs the order's lock.
   */
  async keep(order: Id): Promise<void> {
    const row = await this.#read(order);
    const needs = await this.ctx.model(SaleOrderLine).needs(row.order_line);
    const until = needs.length === 0 ? await pendingUntil(this.ctx) : await this.#limitedUntil(row);
    await this.#orders.write(order, { wait_until: until });
    const short = await this.stock.hold(order, needs, until);
    // Shortages are resolved when the payment arrives.
    if (short.length > 0) await this.stock.extend(order, until);
  }

  /** Whether the order waits for its customer to confirm the email address before it is held any longer. */
  async waitsForAddress(order: Id): Promise<boolean> {
    const row = await this.#read(order);
    if (await this.#isConfirmed(row)) return false;
    return (await this.ctx.model(SaleOrderLine).needs(row.order_line)).length > 0;
  }

  /** Whether the email address is confirmed to be the customer's. */
  async isAddressConfirmed(order: Id): Promise<boolean> {
    return this.#isConfirmed(await this.#read(order));
  }

  /** Returns the page where the customer confirms the address; only linked from the order's email. */
  addressPath(order: Id, email: string): string {
    return `/payment/address/${order}/${signText(this.ctx.config.sessionSecret, purpose, `${order}:${email}`)}`;
  }

  /** Whether a token was issued for this order with this address. */
  isAddressToken(order: Id, email: string, token: unknown): boolean {
    return verifyText(this.ctx.config.sessionSecret, purpose, `${order}:${email}`, token);
  }

  /** Returns the bank details of the transfer an order awaits, or null if it awaits no transfer. */
  async awaited(order: Id): Promise<BankDetails | null> {
    const pending = await this.ctx.model('payment.transaction').count([
      ['sale_order_id', '=', order],
      ['state', '=', 'pending'],
      ['acquirer_id.provider', '=', 'transfer'],
    ]);
    return pending > 0 ? this.bankDetails(order) : null;
  }

  /** Returns the bank details for an order's transfer. */
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

  /** Returns a notice about choosing a transfer if the order has limited items, otherwise an empty string. */
  async choiceText(order: Id): Promise<string> {
    if (!(await this.waitsForAddress(order))) return '';
    const hours = await this.ctx.settings.get(transferHours);
    return plural(
      this.ctx,
      'We’ll send you a link to confirm your email address, then hold your order for {n} hour while we wait for your transfer.',
      'We’ll send you a link to confirm your email address, then hold your order for {n} hours while we wait for your transfer.',
      hours,
    );
  }

  /**
   * Tells the customer of an order with a pending transfer, in sentences, the deadline and that they need to confirm their address. The
   * email with the confirmation button doesn't refer to itself.
   */
  async waitingTexts(order: Id, place: 'page' | 'mail' = 'page'): Promise<string[]> {
    const { ctx } = this;
    const { wait_until, invoice_email } = await this.#orders.get(order, {
      select: { wait_until: true, invoice_email: true },
    });
    if (wait_until === null) return [];
    const moment = zonedTime(ctx, wait_until, 'medium');
    if (!(await this.waitsForAddress(order)))
      return [t(ctx, 'We’ll wait for your transfer until {moment}. After that, we’ll cancel the order.', { moment })];
    const hours = await ctx.settings.get(transferHours);
    return [
      place === 'mail'
        ? t(ctx, 'Please confirm your email address with the button below.')
        : t(ctx, 'Please confirm your email address: open the link in the email to {email}.', {
            email: invoice_email ?? '',
          }),
      plural(
        ctx,
        'We’re holding your order until {moment}. Confirm your email address and we’ll hold it for {n} hour. After that, we’ll cancel it.',
        'We’re holding your order until {moment}. Confirm your email address and we’ll hold it for {n} hours. After that, we’ll cancel it.',
        hours,
        { moment },
      ),
    ];
  }

  /** Referenced by name, because orders import this service. */
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

  /** Confirmed by the link in the email, or because the customer's own account was confirmed with the address. */
  async #isConfirmed({ invoice_email: email, confirmed_email, partner_id }: OrderRow): Promise<boolean> {
    if (!email) return false;
    if (confirmed_email && emailKey(confirmed_email) === emailKey(email)) return true;
    if (partner_id === null) return false;
    const users = await this.ctx.model(User).find(
      [
        ['partner_id', '=', partner_id],
        ['email_verified', '=', true],
      ],
      { select: { email: true } },
    );
    return users.some((user) => user.email && emailKey(user.email) === emailKey(email));
  }
}

interface OrderRow {
  readonly id: Id;
  readonly invoice_email: string | null;
  readonly confirmed_email: string | null;
  readonly partner_id: Id | null;
  readonly network: string | null;
}
