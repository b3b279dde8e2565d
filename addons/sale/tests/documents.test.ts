import { Currency, Partner } from '@pergola/base';
import fc from 'fast-check';
import type { Ctx, Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { extractText, extractTextItems, getDocumentProxy, getMeta } from 'unpdf';
import { ProductUom } from '../models/product-uom.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { SaleOrderLine } from '../models/sale-order-line.ts';
import { orderDocument } from '../services/documents/order-document.ts';
import { Documents, type PdfContent } from '../services/documents/pdf.ts';
import { makeCart, makeProduct, makeTax } from './kit.ts';

/** A text of each script; reading a PDF returns it letter by letter. */
const scripts: Record<string, string> = {
  Arabic: 'محمد عبد الله العتيبي',
  Persian: 'کتاب‌خانه گچپژ',
  Urdu: 'پاکستان ٹکٹ ڈھاکہ',
  Hebrew: 'שלום עולם',
  'Hebrew with points': 'בְּרֵאשִׁית בָּרָא אֱלֹהִים',
  Hindi: 'हिन्दी क्षत्रिय श्रृंखला विद्यार्थी कार्यक्रम',
  Bengali: 'বাংলা কার্যক্রম ক্ষুদ্র',
  Tamil: 'தமிழ் நிகழ்ச்சி',
  Telugu: 'తెలుగు క్షేత్రం',
  Gujarati: 'ગુજરાતી ક્ષેત્ર',
  Punjabi: 'ਪੰਜਾਬੀ',
  Kannada: 'ಕನ್ನಡ',
  Malayalam: 'മലയാളം',
  Odia: 'ଓଡ଼ିଆ',
  Sinhala: 'සිංහල',
  Thai: 'สวัสดีครับ น้ำดื่ม กรุงเทพมหานคร',
  Lao: 'ພາສາລາວ',
  Khmer: 'កម្ពុជា ភ្នំពេញ',
  Burmese: 'မြန်မာ',
  'Simplified Chinese': '北京市朝阳区王小明，骨头',
  'Traditional Chinese': '臺北市中正區陳雅婷、體驗課程',
  Japanese: '東京都渋谷区の鈴木一郎さん、コンサート「春」。',
  Korean: '서울특별시 강남구 김철수',
  Greek: 'Αθήνα Γιώργος ᾧ πολυτονικό',
  Cyrillic: 'Санкт-Петербург Юлия Ґ Ї',
  Vietnamese: 'Nguyễn Thị Hồng Đào, Thừa Thiên–Huế',
  Armenian: 'Հայաստան',
  Georgian: 'საქართველო',
  Amharic: 'አዲስ አበባ',
  Emoji: '👋🏽 🇫🇷 🎫',
  Symbols: '√2 ≤ ∞ → ★ ✓',
};

someDatabase('PDF documents', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
  });
  afterAll(() => app.close());

  const print = (content: PdfContent, language = 'en-US') =>
    app.read((ctx) =>
      ctx.get(Documents).pdf({
        content,
        language,
        info: { title: 'Tickets – 春' },
        displayTitle: true,
        pageSize: 'A4',
        defaultStyle: { font: 'Roboto', fontSize: 10, lineHeight: 1.2 },
      }),
    );

  it('draw a name as a picture, in whatever script it is written', async () => {
    const drawn = async (text: string) =>
      new TextDecoder().decode(await app.read((ctx) => ctx.get(Documents).drawing(text)));
    const [latin, hebrew] = [await drawn('Ada'), await drawn('עדה')];
    for (const picture of [latin, hebrew]) expect(picture).toMatch(/^<svg[\s\S]*<path/);
    expect(hebrew).not.toBe(latin);
  });

  it.each(Object.entries(scripts))('have the letters of %s, regular and bold, for readers to copy', async (_, text) => {
    const pages = await textOf(await print([{ text }, { text, bold: true }]));
    expect(occurrences(pages, plain(text))).toBe(2);
  });

  it('embed the fonts of the scripts they have, and no others', async () => {
    const fonts = async (text: string) => fontsOf(await print(text));
    expect(await fonts('Garden chair, 12 €')).toEqual(['Roboto-Regular']);
    expect(await fonts('محمد')).toEqual(['Roboto-Regular', 'noto-sans-arabic-arabic-400']);
    const latin = await print('Garden chair, 12 €');
    expect((await print('Garden chair, 12 € محمد')).length - latin.length).toBeLessThan(12_000);
  });

  it('use the forms of ideographs that a language has', async () => {
    const family = async (text: string, language: string) =>
      (await fontsOf(await print(text, language))).flatMap((font) => /noto-sans-(jp|kr|sc|tc)/.exec(font)?.[1] ?? []);
    expect(new Set(await family('骨直', 'ja-JP'))).toEqual(new Set(['jp']));
    expect(new Set(await family('骨直', 'zh-TW'))).toEqual(new Set(['tc']));
    expect(new Set(await family('骨直', 'en-US'))).toEqual(new Set(['sc']));
    expect(new Set(await family('骨直の', 'en-US'))).toEqual(new Set(['jp']));
  });

  it('run from right to left where a paragraph begins so, and keep numbers and names in their direction', async () => {
    const file = await print(['שלום ABC 12 עולם', 'Order שלום 12']);
    const [rtl = [], ltr = []] = linesOf(await itemsOf(file));
    const x = (line: Item[], text: string) => line.find(({ str }) => str.includes(text))?.x ?? Number.NaN;
    expect(x(rtl, 'שלום')).toBeGreaterThan(x(rtl, 'ABC'));
    expect(x(rtl, 'ABC')).toBeGreaterThan(x(rtl, 'עולם'));
    expect(rtl.at(-1)?.right).toBeGreaterThan(550);
    expect(ltr[0]?.x).toBeLessThan(45);
    expect(x(ltr, 'שלום')).toBeGreaterThan(x(ltr, 'Order'));
  });

  it('show a sign for a character that no font has, and keep the others', async () => {
    expect(await textOf(await print('Ada 𓀀 Lovelace'))).toContain('Ada � Lovelace');
  });

  it('name their title and language', async () => {
    const file = await print('Tickets', 'fr-FR');
    const { info } = await getMeta(file.slice());
    expect(info).toMatchObject({ Title: 'Tickets – 春', Language: 'fr-FR' });
  });

  it('break words that are wider than the page, and lines of scripts without spaces', async () => {
    for (const text of [
      'x'.repeat(500),
      '春'.repeat(200),
      'ข้าวผัดกะเพรา'.repeat(40),
      'م'.repeat(300),
      '👋🏽'.repeat(100),
    ]) {
      const file = await print([
        { text, noWrap: true },
        { text, fontSize: 24, bold: true },
      ]);
      expectWithinPage(await itemsOf(file));
      expect(occurrences((await textOf(file)).replaceAll(' ', ''), text)).toBe(2);
    }
  });

  it('print tabs as spaces, and no control characters', async () => {
    expect(await textOf(await print('a\tb שלום\u0007 c'))).toContain('a b שלום c');
  });

  const descriptions = [
    'x'.repeat(75),
    'W'.repeat(80),
    'M'.repeat(100),
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(6),
    `https://example.com/${'a-very/long_path?with=query&'.repeat(12)}`,
    ...Object.values(scripts).map((text) => text.repeat(20)),
  ];

  it.each(descriptions.map((text) => [text.slice(0, 40), text]))(
    'keep every amount on the page: %s',
    async (_, name) => {
      const order = await app.write(async (ctx) => {
        const id = await makeOrder(ctx);
        await ctx.model(SaleOrder).write(id, { invoice_name: name.slice(0, 120), note: name });
        const lines = await ctx.model(SaleOrderLine).search([['order_id', '=', id]]);
        await ctx.model(SaleOrderLine).write(lines, { name });
        return id;
      });
      await expectAmounts(order);
    },
  );

  it('keep huge amounts, long currencies, units, taxes and discounts on the page', async () => {
    const order = await app.write(async (ctx) => {
      const id = await makeOrder(ctx, {
        price: '999999999.99',
        unit: 'Umverpackungseinheitenpalette'.repeat(2),
        tax: 'T'.repeat(60),
      });
      const { currency_id } = await ctx.model(SaleOrder).get(id, { select: { currency_id: true } });
      await ctx.model(Currency).write(currency_id, { symbol: 'Thalers.' });
      const lines = await ctx.model(SaleOrderLine).search([['order_id', '=', id]]);
      await ctx
        .model(SaleOrderLine)
        .write(lines, { name: 'x'.repeat(200), discount: '12.5', product_uom_qty: '9999' } as never);
      return id;
    });
    await expectAmounts(order);
  });

  it('keep every amount of 300 lines on a page', async () => {
    const order = await app.write(async (ctx) => {
      const id = await makeOrder(ctx);
      const product = await makeProduct(ctx, { list_price: '3.00' });
      for (let index = 0; index < 300; index++)
        await ctx.model(SaleOrderLine).create({
          order_id: id,
          product_id: product,
          name: `Line ${index} `.repeat(9),
          product_uom_qty: '1',
          price_unit: '3.00',
        } as never);
      return id;
    });
    const items = await itemsOf(await printOrder(order));
    expect(items.filter(({ str }) => /^3\.00/.test(str)).length).toBeGreaterThanOrEqual(600);
    expectWithinPage(items);
  });

  it('keep every amount on the page for any text', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...Object.values(scripts)),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.stringMatching(/^[a-zA-Z0-9/_.-]{1,120}$/),
    );
    const text = fc
      .array(piece, { minLength: 1, maxLength: 8 })
      .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join(' ')));
    await fc.assert(
      fc.asyncProperty(text, text, async (name, unit) => {
        const cell = (amount: string) => ({ text: amount, alignment: 'right' as const, noWrap: true });
        const amounts = ['1,234.50 €', '123,456,789,012.34 USD', '2,469.00 €'];
        const file = await print([
          { columns: [{ stack: [name] }, { stack: [unit], alignment: 'right' }] },
          {
            table: {
              widths: ['*', 'auto', 'auto', 'auto', 'auto'],
              body: [
                ['A', 'B', 'C', 'D', 'E'],
                [name, unit, ...amounts.map(cell)],
              ],
            },
            layout: 'lightHorizontalLines',
          },
        ]);
        expectWithinPage(await itemsOf(file));
        const printed = await textOf(file);
        for (const amount of amounts) expect(printed).toContain(plain(amount));
      }),
      { numRuns: 60 },
    );
  });

  it('tell times by the clocks of the customer, whoever prints them', async () => {
    const [utc, tokyo] = await app.write(async (ctx) => {
      const id = await makeOrder(ctx);
      const partner = await ctx.model(Partner).create({ name: 'Hana', tz: 'Pacific/Kiritimati' });
      await ctx
        .model(SaleOrder)
        .write(id, { partner_id: partner, date_order: new Date('2026-03-01T18:00:00Z') } as never);
      const text = async (timezone: string) => JSON.stringify(await orderDocument(ctx.as({ timezone }), id));
      return [await text('UTC'), await text('Asia/Tokyo')] as const;
    });
    expect(utc).toBe(tokyo);
    expect(utc).toContain('March 2, 2026');
  });

  const printOrder = (id: Id) => app.read(async (ctx) => ctx.get(Documents).pdf(await orderDocument(ctx, id)));

  /** Every amount of the document is in the file, within its pages. */
  async function expectAmounts(id: Id): Promise<void> {
    const amounts = await app.read(async (ctx) => noWraps(await orderDocument(ctx, id)));
    expect(amounts.length).toBeGreaterThanOrEqual(4);
    const file = await printOrder(id);
    expectWithinPage(await itemsOf(file));
    const printed = await textOf(file);
    for (const amount of amounts) expect(printed).toContain(plain(amount));
  }
});

/** An order of one line. */
async function makeOrder(ctx: Ctx, { price = '1234.50', unit = 'Units', tax = '' } = {}): Promise<Id> {
  const uom = await ctx.model(ProductUom).create({ name: unit });
  const taxes = [await makeTax(ctx, '20', tax ? { name: tax } : {})];
  const product = await makeProduct(ctx, { list_price: price, taxes_id: taxes, uom_id: uom } as never);
  return makeCart(ctx, [product], 2);
}

interface Item {
  readonly str: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
}

async function itemsOf(file: Uint8Array): Promise<Item[]> {
  const { items } = await extractTextItems(await getDocumentProxy(file.slice()));
  return items.flat().map(({ str, x, y, width }) => ({ str, x, y, right: x + width }));
}

function linesOf(items: readonly Item[]): Item[][] {
  const lines = Map.groupBy(
    items.filter(({ str }) => str.trim()),
    ({ y }) => Math.round(y),
  );
  return [...lines.values()].map((line) => line.toSorted((a, b) => a.x - b.x));
}

/** A4, with its margins. */
function expectWithinPage(items: readonly Item[]): void {
  for (const { str, x, right, y } of items) {
    if (!str.trim()) continue;
    expect(x).toBeGreaterThan(30);
    expect(right).toBeLessThan(565);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(842);
  }
}

async function textOf(file: Uint8Array): Promise<string> {
  const { text } = await extractText(file.slice(), { mergePages: true });
  return plain(text);
}

/** Names of the embedded fonts. */
async function fontsOf(file: Uint8Array): Promise<string[]> {
  const names = new TextDecoder('latin1').decode(file).matchAll(/\/FontName \/[A-Z]{6}\+([\w-]+)/g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}

/** Texts of a document that are not to wrap, as its amounts. */
function noWraps(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(noWraps);
  if (typeof content !== 'object' || content === null) return [];
  const { text, noWrap } = content as { readonly text?: unknown; readonly noWrap?: unknown };
  if (!noWrap) return Object.values(content).flatMap(noWraps);
  // A note after the amount may wrap: a tax can have a long name.
  const [amount]: readonly unknown[] = Array.isArray(text) ? text : [{ text }];
  return [(amount as { readonly text: string }).text];
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Text as it is read: composed, without invisible characters, with one space between words. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cf}|\ufe0f/gu, '')
    .replace(/[\s\u00a0]+/g, ' ');
}
