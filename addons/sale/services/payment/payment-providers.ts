import { type Ctx, type Id, listPoint, type Minor } from 'pergola';

/** A payment as its provider needs to know it. */
export interface PaymentFacts {
  readonly id: Id;
  readonly reference: string;
  readonly amount: Minor;
  /** ISO code. */
  readonly currency: string;
  /** Proves to the site's own routes that the request belongs to this payment. */
  readonly token: string;
  /** A path of this site. */
  readonly returnUrl: string;
  readonly lang: string | null;
  readonly acquirer: { readonly id: Id; readonly secret: string };
}

/** The form a browser submits to pay; the page shows its button. */
export interface PaymentForm {
  /** A path of this site, or the address of the provider. */
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly fields: Readonly<Record<string, string>>;
}

/** Money that is to go back, as its provider needs to know it. */
export interface RefundFacts {
  /** Stays the same for repeated calls, so that the provider refunds only once. */
  readonly reference: string;
  readonly amount: Minor;
  /** ISO code. */
  readonly currency: string;
  readonly reason: string | null;
  /** Payment that is refunded. */
  readonly payment: { readonly reference: string; readonly acquirerReference: string | null };
  readonly acquirer: { readonly id: Id; readonly secret: string };
}

/** A provider's response to a refund. */
export interface RefundOutcome {
  /** `pending`: it tells later. `error`: it does not, and nothing moved. */
  readonly state: 'pending' | 'done' | 'error';
  readonly message?: string | undefined;
  /** Id of the refund at the provider. */
  readonly acquirerReference?: string | undefined;
}

/** A provider's notification about a payment or a refund. */
export interface Notice {
  /** Its number at the provider; the same one is handled once. */
  readonly event: string;
  readonly reference: string;
  readonly state: 'pending' | 'done' | 'error' | 'cancel';
  readonly amount: Minor;
  readonly currency: string;
  readonly message?: string;
  readonly acquirerReference?: string;
}

/** Raw request of a notification. */
export interface NotificationRequest {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly now: Date;
}

/**
 * A way of paying in code: how a payment begins, and how the provider's notifications are read. Contributed to {@link paymentProviders}; acquirers name it by
 * its code.
 */
export interface PaymentProvider {
  readonly code: string;
  readonly label: string;
  /** Whether staff confirm payments (`manual`) or the provider does. */
  readonly validation: 'manual' | 'automatic';
  /** No money moves: it is for trying out, and is never offered where it counts. */
  readonly playsOnly?: boolean;
  /**
   * Why customers of a company can't be offered the method yet, for staff in the context's language; null if they can. Needs rights lifted.
   *
   * @param company id of the company that sells
   */
  missing?(ctx: Ctx, company: Id): Promise<string | null>;
  /** The form that begins the payment. Runs in the transaction: no network here. */
  form(ctx: Ctx, payment: PaymentFacts): PaymentForm;
  /** Checks a notification's signature over its raw bytes and its time, and reads it; null for one that is not the provider's. */
  read?(acquirer: { readonly id: Id; readonly secret: string }, request: NotificationRequest): Notice | null;
  /**
   * Refunds money, over the network: call it outside of transactions. Repeated calls with the same reference return the first result.
   * Throws if the outcome is unknown; the call is then repeated. Without this method, staff transfer the money and mark the refund as done.
   */
  refund?(ctx: Ctx, refund: RefundFacts): Promise<RefundOutcome>;
}

declare module 'pergola/contributions' {
  interface Contributions {
    paymentProviders: readonly PaymentProvider[];
  }
}

/** Where addons add ways of paying. */
export const paymentProviders = listPoint('paymentProviders');

/** The provider with a code, if an enabled addon brings it. */
export function providerOf(ctx: Ctx, code: string): PaymentProvider | null {
  return ctx.get(paymentProviders).find((provider) => provider.code === code) ?? null;
}
