import { type Ctx, type Id, listPoint, type Minor } from 'pergola';

/** A payment as its provider needs to know it. */
export interface PaymentFacts {
  readonly id: Id;
  readonly reference: string;
  readonly amount: Minor;
  /** ISO code. */
  readonly currency: string;
  /** Proves to our own routes that whoever comes was sent by this payment. */
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
  /** The same however often it is asked for: the provider gives back once. */
  readonly reference: string;
  readonly amount: Minor;
  /** ISO code. */
  readonly currency: string;
  readonly reason: string | null;
  /** What it is taken from. */
  readonly payment: { readonly reference: string; readonly acquirerReference: string | null };
  readonly acquirer: { readonly id: Id; readonly secret: string };
}

/** What a provider says of a refund. */
export interface RefundOutcome {
  /** `pending`: it tells later. `error`: it does not, and nothing moved. */
  readonly state: 'pending' | 'done' | 'error';
  readonly message?: string | undefined;
  /** What the provider calls it. */
  readonly acquirerReference?: string | undefined;
}

/** What a provider tells of a payment or a refund. */
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

/** What a notification came with. */
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
  /** Whether somebody looks after the money (`manual`) or the provider tells. */
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
   * Gives money back, over the network: outside of transactions. May be asked again for the same reference, and answers it as before. Throws where it does not
   * know what became of it: it is asked again. Without this, somebody transfers the money and says so.
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
