import { randomUUID } from 'node:crypto';
import { z } from 'pergola';
import { t } from '../../texts.ts';
import type { Notice, NotificationRequest, PaymentProvider } from './payment-providers.ts';
import { isSigned, signNotification } from './signature.ts';

/** Page of the simulated provider. */
export const testCardPath = '/payment/test_card';

/** Header with the signature of a notification. */
const signatureHeader = 'x-payment-signature';

/** Refunds with this number of cents are refused, for testing. */
const refusedCents = 13;

/** Outcomes that testers can choose. */
export const outcomes = ['paid', 'refused', 'pending'] as const;

const content = z.strictObject({
  id: z.string().min(1).max(128),
  reference: z.string().min(1).max(64),
  state: z.enum(['pending', 'done', 'error', 'cancel']),
  /** In minor units. */
  amount: z.number().int().min(0),
  currency: z.string().length(3),
  message: z.string().max(500).optional(),
});

/**
 * A simulated card payment: a local page replaces the provider's, and reports the outcome by signed notifications, like a real provider.
 */
export const testCard: PaymentProvider = {
  code: 'test_card',
  label: 'Test card',
  validation: 'automatic',
  playsOnly: true,
  form: (_ctx, { reference, token, returnUrl }) => ({
    action: testCardPath,
    method: 'get',
    fields: { reference, token, return_url: returnUrl },
  }),
  read: ({ secret }, request) =>
    isSigned(secret, request.body, headerOf(request), request.now) ? parseNotice(request.body) : null,
  refund: async (ctx, { reference, amount }) =>
    amount % 100 === refusedCents
      ? { state: 'error', message: t(ctx, 'The card was declined.') }
      : { state: 'done', acquirerReference: `test-${reference}` },
};

function headerOf({ headers }: NotificationRequest): unknown {
  return headers[signatureHeader];
}

/** Parses the notice in a body, which must be canonical JSON: no duplicate or unknown keys. */
function parseNotice(body: Uint8Array): Notice | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    const { id, ...rest } = content.parse(value);
    return JSON.stringify(value) === text ? { event: id, ...rest } : null;
  } catch {
    return null;
  }
}

/** Creates a notification of the simulated provider. */
export function testNotification(
  secret: string,
  notice: Omit<Notice, 'event' | 'acquirerReference'> & { readonly event?: string },
  signedAt: Date,
): { body: Uint8Array; headers: Record<string, string> } {
  const { event = randomUUID(), reference, state, amount, currency, message } = notice;
  const body = JSON.stringify({ id: event, reference, state, amount, currency, message });
  return {
    body: new TextEncoder().encode(body),
    headers: { [signatureHeader]: signNotification(secret, body, signedAt) },
  };
}
