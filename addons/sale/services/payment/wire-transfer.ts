import type { Ctx, Id } from 'pergola';
import { SaleCompany } from '../../models/res-company.ts';
import { t } from '../../texts.ts';
import type { PaymentProvider } from './payment-providers.ts';

/** Receives the form of a transfer and sets its payment to pending. */
export const transferPath = '/payment/transfer/feedback';

/** Wire transfer: the customer gets the bank details, and a salesperson confirms the payment when it arrives. */
export const transfer: PaymentProvider = {
  code: 'transfer',
  label: 'Wire Transfer',
  validation: 'manual',
  missing: async (ctx: Ctx, company: Id) => {
    const { name, bank_account } = await ctx
      .model(SaleCompany)
      .get(company, { select: { name: true, bank_account: true } });
    return bank_account
      ? null
      : t(ctx, '{company} has no bank account. Add one to offer wire transfer.', { company: name });
  },
  form: (_ctx, { reference, token, returnUrl }) => ({
    action: transferPath,
    method: 'post',
    fields: { reference, token, return_url: returnUrl },
  }),
};
