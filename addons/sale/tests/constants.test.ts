import { createTestApp, type TestApp } from 'pergola/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { wholeQuantity } from '../services/orders/line-request.ts';
import { isSigned, signNotification } from '../services/payment/signature.ts';
import { t } from '../texts.ts';

/*
 * What the specification and the decisions fix in numbers and words for sales. Of sections 5, 8 and 9 of the specification all else that is about the shop
 * (discount thresholds, the status poll, the tour) is the matter of website_sale and website_event.
 */
describe('constants', () => {
  it('a notification is at most 300 seconds off, either way', () => {
    const at = new Date('2026-11-27T12:00:00Z');
    const body = Buffer.from('{}');
    const isTaken = (seconds: number): boolean =>
      isSigned('key', body, signNotification('key', body, at), new Date(at.getTime() + seconds * 1000));
    expect([-301, -300, 0, 300, 301].map(isTaken)).toEqual([false, true, true, true, false]);
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

    it('a cart holds for 15 minutes, a payment for an hour, a transfer for 7 days or 72 hours', async () => {
      const admin = await app.as('admin');
      const values: Record<string, unknown> = {};
      const note = (_key: string, node: { name?: string; value?: unknown } | null) => {
        if (node?.name?.startsWith('sale.')) values[node.name] = node.value;
        return node;
      };
      JSON.parse(JSON.stringify(await admin.rpc('/web/backend/settings', {})), note);
      expect(values).toMatchObject({
        'sale.hold_minutes': 15,
        'sale.payment_minutes': 60,
        'sale.pending_days': 7,
        'sale.transfer_hours': 72,
      });
    });

    it('every text on the way to pay is there in French', async () => {
      const texts = await app.read(async (ctx) => {
        const french = ctx.as({ lang: 'fr_FR' });
        return [
          t(french, '“{name}” is sold out.', { name: 'X' }),
          t(french, 'This order is being paid, so it can’t be changed.'),
        ];
      });
      expect(texts[0]).not.toContain('sold out');
      expect(texts[1]).not.toContain('being paid');
    });
  });
});
