import { type Ctx, type Id, listPoint, type Minor } from 'pergola';

/** Payment data for its provider. */
export interface PaymentFacts {
  readonly id: Id;
  readonly reference: string;
  readonly amount: Minor;
  /** ISO code. */
  readonly currency: string;
  /** Proves to the site's own routes that the request belongs to this payment. */
  readonly token: string;
  /** Return path on this site. */
  readonly returnUrl: string;
  readonly lang: string | null;
  readonly acquirer: { readonly id: Id; readonly secret: string };
}

/** Form that the browser submits to pay; the page shows its button. */
export interface PaymentForm {
  /** A path on this site, or the provider's URL. */
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly fields: Readonly<Record<string, string>>;
}

/** Refund data for its provider. */
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
  /** `pending`: the provider will notify. `error`: it won't, and nothing was refunded. */
  readonly state: 'pending' | 'done' | 'error';
  readonly message?: string | undefined;
  /** Id of the refund at the provider. */
  readonly acquirerReference?: string | undefined;
}

/** A provider's notification about a payment or a refund. */
export interface Notice {
  /** Event id at the provider; each event is processed once. */
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
 * Implementation of a payment method: starts payments and reads the provider's notifications. Contributed to {@link paymentProviders};
 * acquirers refer to it by code.
 */
export interface PaymentProvider {
  readonly code: string;
  readonly label: string;
  /** Whether staff confirm payments (`manual`) or the provider does. */
  readonly validation: 'manual' | 'automatic';
  /** Whether payments are only simulated, for testing; never offered in production. */
  readonly playsOnly?: boolean;
  /**
   * Explains to staff, in the context's language, why a company's customers can't be offered the method yet; null if they can. Needs
   * elevated rights.
   *
   * @param company id of the selling company
   */
  missing?(ctx: Ctx, company: Id): Promise<string | null>;
  /** Returns the form that starts the payment. Runs in the transaction, so it must not use the network. */
  form(ctx: Ctx, payment: PaymentFacts): PaymentForm;
  /** Verifies a notification's signature over its raw bytes and time, and parses it; null if it isn't from the provider. */
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

/** Contribution point for payment providers. */
export const paymentProviders = listPoint('paymentProviders');

/** Returns the provider with a code, if an enabled addon contributes it. */
export function providerOf(ctx: Ctx, code: string): PaymentProvider | null {
  return ctx.get(paymentProviders).find((provider) => provider.code === code) ?? null;
}
