import { SaleOrder } from '@pergola/sale';
import { createTestApp } from 'pergola/testing';
import { QuoteTemplate } from '../models/quote-template.ts';
import { makeQuote } from './kit.ts';

it('asks before a template replaces the lines of a quotation', async () => {
  await using app = await createTestApp({ addons: ['quote'] });
  const { id } = await makeQuote(app, {}, { sent: false });
  const { template, empty } = await app.write(async (ctx) => ({
    template: await ctx.model(QuoteTemplate).create({ name: 'Terrace' }),
    empty: await ctx.model(SaleOrder).create({ invoice_name: 'Ada' }),
  }));
  const admin = await app.as('admin');
  const ask = (ids: readonly number[], template_id: number | false) =>
    admin.rpc<{ text: string }[]>('/web/backend/questions', { model: 'sale.order', ids, values: { template_id } });
  expect(await ask([id], template)).toMatchObject([{ text: expect.stringContaining('replaces the 2 lines') }]);
  expect(await ask([id], false)).toEqual([]);
  expect(await ask([empty], template)).toEqual([]);
  expect(await ask([], template)).toEqual([]);
});
