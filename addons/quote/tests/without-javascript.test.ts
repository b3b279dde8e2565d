import { byLanguage, createTestApp, type TestApp } from 'pergola/testing';
import { makeQuote, type Quote } from './kit.ts';

describe('Without JavaScript', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['quote'] });
  });
  afterAll(() => app.close());

  const words = {
    en: {
      more: 'Increase quantity: Garden bench',
      three: '345.00',
      accept: 'Accept and sign',
      declineIt: 'Decline',
      accepted: 'the order is confirmed',
      declined: 'declined',
    },
    fr: {
      more: 'Augmenter la quantité : Garden bench',
      three: '345,00',
      accept: 'Accepter et signer',
      declineIt: 'Refuser',
      accepted: 'la commande est confirmée',
      declined: 'refusé',
    },
  };

  describe.each(byLanguage(words))('on the page of a quotation at "$at"', ({ at, say }) => {
    let quote: Quote;
    let path: string;
    beforeEach(async () => {
      quote = await makeQuote(app, { lang: at ? 'fr_FR' : 'en_US' });
      path = at + quote.path;
    });

    it('one finds the way to accept it and to decline it', async () => {
      const text = await app.readIsland(path, 'quote.Summary');
      expect(text).toContain(`${say.accept} #accept ${say.declineIt} #decline`);
    });

    it('one changes a quantity, and the sums follow', async () => {
      const { status, read } = await app.press(path, 'quote.Pricing', say.more);
      expect([status, read]).toEqual([200, expect.stringContaining(say.three)]);
      expect(await app.readIsland(path, 'quote.Accept')).toContain(say.three);
    });

    it('one accepts it', async () => {
      const fields = { signer: 'Ada Lovelace', typed: 'on' };
      const { status, read } = await app.press(path, 'quote.Accept', say.accept, fields);
      expect([status, read]).toEqual([200, expect.stringContaining(say.accepted)]);
    });

    it('one declines it, and says why', async () => {
      const { status, read } = await app.press(path, 'quote.Accept', say.declineIt, { decline_message: 'Too much.' });
      expect([status, read]).toEqual([200, expect.stringContaining(say.declined)]);
    });
  });
});
