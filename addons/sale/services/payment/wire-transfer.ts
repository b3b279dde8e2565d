import type { PaymentProvider } from './payment-providers.ts';

/** The page's form of a transfer goes here; the payment is then pending. */
export const transferPath = '/payment/transfer/feedback';

/** Wire transfer: the customer gets the bank details, somebody confirms the money when it has come. */
export const transfer: PaymentProvider = {
  code: 'transfer',
  label: 'Wire Transfer',
  validation: 'manual',
  form: (_ctx, { reference, token, returnUrl }) => ({
    action: transferPath,
    method: 'post',
    fields: { reference, token, return_url: returnUrl },
  }),
};
