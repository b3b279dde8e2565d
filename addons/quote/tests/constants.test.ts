import { createTestApp, type TestApp } from 'pergola/testing';
import { drawn, makeQuote, type Quote } from './kit.ts';

/** The constants, texts and shapes of the specification's "Quotation" (sections 2 to 9). What a browser shows of it is tried beside this. */
describe('constants of quotations', () => {
  let app: TestApp;
  let quote: Quote;
  let sign: string;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['quote'], demo: true });
    quote = await makeQuote(app, { website_description: '<h1>One</h1><h2>Two</h2>' });
    sign = await drawn();
  });
  afterAll(() => app.close());

  const call = (path: string, params: object) =>
    app.visitor().rpc(path, { order_id: quote.id, token: quote.token, ...params });
  const page = async (query = ''): Promise<string> => (await app.visitor().get(quote.path + query)).text;

  it.each<[string, () => Promise<unknown>, unknown]>([
    [
      '§2 the page has the class o_website_quote',
      async () => /class="([^"]*o_website_quote[^"]*)"/.test(await page()),
      true,
    ],
    [
      '§2 the sidebar is built from h1 and h2',
      async () => [...(await page()).matchAll(/href="#quote-h-\d+">([^<]*)</g)].map(([, text]) => text),
      ['One', 'Two'],
    ],
    [
      '§2 the page is at /quote/{order_id}/{token}',
      async () => quote.path,
      expect.stringMatching(/^\/quote\/\d+\/[\w-]{22}$/),
    ],
    ['… which is not said before it is', async () => (await page('?message=3')).includes('is confirmed'), false],
    ['§2, §4 message 4', async () => (await page('?message=4')).includes('Something went wrong'), true],
    ['dossier 6.2 message 1', async () => (await page('?message=1')).includes('Your message has been sent.'), true],
    ['a message that is no number', async () => (await page('?message=abc')).includes('Something went wrong'), false],
    [
      '§3, §7 update_line answers quantity and total',
      () => call('/quote/update_line', { line_id: quote.lines[0], remove: false, unlink: false }),
      ['3', expect.stringMatching(/345\.00/)],
    ],
    [
      '§7 … and something falsy where the page is to be read again',
      () => call('/quote/update_line', { line_id: 999_999 }),
      false,
    ],
    ['§5 a signer is required', () => call('/quote/accept', { signer: '', sign }), false],
    ['§5 a signature is required', () => call('/quote/accept', { signer: 'Ada', sign: '' }), false],
    ['§7 accept takes order_id, token, signer and sign', () => call('/quote/accept', { signer: 'Ada', sign }), true],
    ['§2, §4 message 3', async () => (await page('?message=3')).includes('the order is confirmed'), true],
    [
      'dossier 8.2 the template of the demo',
      async () => {
        const admin = await app.as('admin');
        return admin.rpc('/web/dataset/call_kw', {
          model: 'sale.quote.template',
          method: 'search_read',
          args: [[], ['name', 'number_of_days']],
          kwargs: {},
        });
      },
      [{ id: expect.any(Number), name: 'Partnership Contract', number_of_days: 45 }],
    ],
  ])('%s', async (_name, actual, expected) => {
    expect(await actual()).toEqual(expected);
  });
});
