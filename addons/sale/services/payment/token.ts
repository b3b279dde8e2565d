import { type Ctx, signText, verifyText } from 'pergola';

const purpose = 'sale.payment';

/** Returns a token proving that a browser was sent by the payment with this reference. */
export function paymentToken(ctx: Ctx, reference: string): string {
  return signText(ctx.config.sessionSecret, purpose, reference);
}

export function isPaymentToken(ctx: Ctx, reference: string, token: unknown): boolean {
  return verifyText(ctx.config.sessionSecret, purpose, reference, token);
}
