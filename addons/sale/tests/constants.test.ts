import { createTestApp, type TestApp } from '#core/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { wholeQuantity } from '../services/orders/line-request.ts';
import { SIGNATURE_WINDOW } from '../services/payment/signature.ts';
import { testCard } from '../services/payment/test-card.ts';
import { transfer } from '../services/payment/wire-transfer.ts';
import { holdMinutes, paymentMinutes, pendingDays, transferHours } from '../settings.ts';

/*
 * What the specification and the decisions fix in numbers and words for sales. Of sections 5, 8 and 9 of the specification all else that is about the shop
 * (discount thresholds, the status poll, the tour) is the matter of website_sale and website_event.
 */
describe('constants', () => {
  it.each<[string, unknown, unknown]>([
    ['a cart holds for 15 minutes', holdMinutes.fallback, 15],
    ['a payment that was begun holds for an hour', paymentMinutes.fallback, 60],
    ['a transfer may take 7 days', pendingDays.fallback, 7],
    ['for what is limited, 72 hours', transferHours.fallback, 72],
    ['notifications are at most 300 seconds off', SIGNATURE_WINDOW, 300],
    ['the transfer is confirmed by hand', transfer.validation, 'manual'],
    ['the test card is confirmed by itself', testCard.validation, 'automatic'],
    ['the name of the transfer', transfer.label, 'Wire Transfer'],
  ])('%s', (_what, is, expected) => {
    expect(is).toBe(expected);
  });

  it.each<[unknown, number]>([
    ['5', 5],
    [' 5 ', 5],
    ['5abc', 0],
    ['abc', 0],
    ['', 0],
    [null, 0],
    [undefined, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [[5], 0],
    [{}, 0],
    [true, 0],
    [0.5, 0],
    [2.9, 2],
    [-1, -1],
    [1e9, 100_000],
    [2 ** 53, 100_000],
    ['1e3', 0],
    ['0x10', 0],
  ])('a quantity of %p is taken for %p', (given, expected) => {
    expect(wholeQuantity(given)).toBe(expected);
  });

  describe('as they are at the start', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await createTestApp({ addons: ['sale'] });
    });
    afterAll(() => app.close());

    it('there are a Wire Transfer and a Test card, and orders are numbered from SO00001', async () => {
      const methods = await app.read((ctx) =>
        ctx.model(PaymentAcquirer).find([], { select: { name: true, provider: true, validation: true } }),
      );
      expect(methods).toMatchObject([
        { name: 'Wire Transfer', provider: 'transfer', validation: 'manual' },
        { name: 'Test card', provider: 'test_card', validation: 'automatic' },
      ]);
      const number = await app.write((ctx) =>
        (ctx.modelNamed('ir.sequence') as unknown as { next(code: string): Promise<string> }).next('sale.order'),
      );
      expect(number).toBe('SO00001');
    });

    it('every text on the way to pay is there in French', async () => {
      const texts = await app.read(async (ctx) => {
        const french = ctx.as({ lang: 'fr_FR' });
        return [
          french.t('“{name}” is sold out.', { name: 'X' }),
          french.t('This order is being paid, so it cannot be changed.'),
        ];
      });
      expect(texts[0]).not.toContain('sold out');
      expect(texts[1]).not.toContain('being paid');
    });
  });
});
