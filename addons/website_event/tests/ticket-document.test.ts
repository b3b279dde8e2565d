import { SaleOrder } from '@pergola/sale';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { extractText, extractTextItems, getDocumentProxy } from 'unpdf';
import { EventRegistration } from '../models/event-registration.ts';
import { TicketDocument } from '../services/ticket-document.ts';
import { makeCart, makeEvent, putTickets } from './kit.ts';

const names = [
  ['Arabic', 'محمد عبد الله العتيبي', 'ورشة الخط العربي'],
  ['Hebrew', 'שלום כהן', 'סדנת גינון'],
  ['Chinese', '王小明', '春季园艺工作坊'],
  ['Japanese', '鈴木一郎さん', '春のコンサート'],
  ['Korean', '김철수', '봄 음악회'],
  ['Hindi', 'दीपिका श्रीवास्तव', 'बागवानी कार्यशाला'],
  ['Thai', 'สมชาย ใจดี', 'คอนเสิร์ตฤดูใบไม้ผลิ'],
  ['long', 'W'.repeat(120), 'Donaudampfschifffahrt'.repeat(5)],
] as const;

someDatabase('A ticket as a file', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database });
  });
  afterAll(() => app.close());

  it.each(names)('shows names in any script: %s', async (_, name, title) => {
    const registrations = await app.write(async (ctx) => {
      const { event, tickets } = await makeEvent(ctx, { name: title });
      const order = await makeCart(ctx, 'Ada');
      await putTickets(ctx, order, tickets[0] ?? 0, 1);
      await ctx.model(SaleOrder).confirm([order]);
      const ids = await ctx.model(EventRegistration).search([['event_id', '=', event]]);
      await ctx.model(EventRegistration).write(ids, { name });
      return ids;
    });
    const file = await app.read((ctx) => ctx.get(TicketDocument).pdf(registrations));
    const { text } = await extractText(file.slice(), { mergePages: true });
    const letters = text.replace(/\s/g, '');
    expect(letters).toContain(name.replaceAll(' ', ''));
    expect(letters).toContain(title.replaceAll(' ', ''));
    const { items } = await extractTextItems(await getDocumentProxy(file));
    for (const { str, x, width } of items.flat().filter(({ str }) => str.trim())) {
      expect({ str, isOnPage: x > 30 && x + width < 565 }).toEqual({ str, isOnPage: true });
    }
  });
});
