import { Attachment } from '@pergola/base';
import { Documents, orderDocument } from '@pergola/sale';
import { Website } from '@pergola/website';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { extractText } from 'unpdf';
import { QuotedOrder } from '../models/sale-order.ts';
import { Signatures } from '../services/signatures.ts';
import { drawn, makeQuote } from './kit.ts';

someDatabase('Documents of quotations', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['quote'], database });
    await app.write(async (ctx) =>
      ctx.model(Website).write(await ctx.model(Website).search([]), { timezone: 'Pacific/Kiritimati' }),
    );
  });
  afterAll(() => app.close());

  it('tell times by the site’s clocks, kept at the signature or printed now', async () => {
    const quote = await makeQuote(app);
    const { id, token } = quote;
    const accepted = { order_id: id, token, signer: 'Ada Lovelace', sign: await drawn() };
    expect(await app.visitor().rpc('/quote/accept', accepted)).toBe(true);
    await app.runJobs();
    const files = await app.read(async (ctx) => {
      const { signed_document_id: kept } = await ctx
        .model(QuotedOrder)
        .get(id, { select: { signed_document_id: true } });
      const { datas } = await ctx.model(Attachment).get(kept ?? 0, { select: { datas: true } });
      const content = datas && (await ctx.files.get(datas.hash));
      const printed = await ctx.get(Documents).pdf(await orderDocument(ctx.as({ timezone: 'Asia/Tokyo' }), id));
      return [new Uint8Array(content ?? []), printed];
    });
    const [kept, printed] = await Promise.all(
      files.map(async (file) => {
        const { text } = await extractText(file, { mergePages: true });
        return text.slice(text.indexOf('Signed by'), text.indexOf('From IP address'));
      }),
    );
    expect(kept).toContain('(Kiritimati time)');
    expect(printed).toBe(kept);
  });

  it.each(['محمد عبد الله', 'שלום כהן', '王小明', 'दीपिका', 'สมชาย', 'Ада', '👋🏽'])(
    'have a typed signature of %s, not of boxes',
    async (name) => {
      const [ink, missing] = await app.read(async (ctx) => {
        const inkOf = async (text: string) => {
          const file = await ctx.get(Signatures).draw(text);
          const content = file && (await ctx.files.get(file.hash));
          const { channels } = await sharp(Buffer.from(content ?? [])).stats();
          return 255 - (channels[0]?.mean ?? 255);
        };
        return [await inkOf(name), await inkOf('𓀀'.repeat([...name].length))];
      });
      expect(ink).toBeGreaterThan(3);
      // The sign for a missing letter is a filled square.
      expect(ink).toBeLessThan(missing * 0.8);
    },
  );
});
