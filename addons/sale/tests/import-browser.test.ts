import { Partner, User } from '@pergola/base';
import { createTestApp, expectAccessible, type TestApp, withBrowser } from 'pergola/testing';
import { PricelistItem } from '../models/product-pricelist-item.ts';

const words = {
  en: {
    encoding: 'Encoding',
    headings: 'Headings',
    into: (column: string) => `Import “${column}” as`,
    fields: { Liste: 'Pricelist', Von: 'From', Preis: 'Fixed price' },
    date: 'Dates like 03.04.2026 09:30 in “Von”',
    number: 'Numbers like 1.234 in “Preis”',
    asked: 'Choose a format above for these columns: Von, Preis',
    price: '1,234',
  },
  fr: {
    encoding: 'Encodage',
    headings: 'En-têtes',
    into: (column: string) => `Importer « ${column} » dans`,
    fields: { Liste: 'Liste de prix', Von: 'Du', Preis: 'Prix fixe' },
    date: 'Les dates comme 03.04.2026 09:30 dans « Von »',
    number: 'Les nombres comme 1.234 dans « Preis »',
    asked: 'Choisissez ci-dessus le format de ces colonnes : Von, Preis',
    price: '1\u202f234',
  },
} as const;

describe('a German file in the backend', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'] });
  });
  afterAll(() => app.close());

  it.each([
    ['en', 1280, false],
    ['fr', 360, true],
  ] as const)(
    'is imported once it is known how its dates and numbers are meant (%s, %i pixels wide, dark: %s)',
    async (lang, width, dark) => {
      const list = await app.write(async (ctx) => {
        const user = await ctx.ref('base.user_admin');
        const { partner_id } = await ctx.model(User).get(user, { select: { partner_id: true } });
        await ctx.model(Partner).write(partner_id, { lang: lang === 'fr' ? 'fr_FR' : 'en_US' });
        return ctx
          .model('product.pricelist')
          .create({ name: `Für Händler ${lang}`, currency_id: await ctx.ref('base.eur') });
      });
      const client = await app.as('admin');
      const { page, expectNoTrouble } = await browser.openPage({ width, height: 900, dark, baseUrl: app.url, client });
      const says = words[lang];
      const open = ['Preise für Händler;;', '', 'Liste;Von;Preis', `Für Händler ${lang};03.04.2026 09:30;1.234`];
      const clear = [...open, `Für Händler ${lang};31.12.2026 18:00;1.234,56`];
      const choose = (lines: readonly string[]) =>
        page.locator('input[type=file]').setInputFiles({
          name: 'preise.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'),
        });
      const map = async () => {
        for (const [column, label] of Object.entries(says.fields))
          await page.getByLabel(says.into(column)).selectOption({ label });
      };
      const run = page.locator('[data-slot=run]');
      const first = page.locator('.backend-import-table tbody tr').first();
      const isOpen = page.locator('[data-slot=question][aria-invalid=true]');

      await page.goto('/web/m/product.pricelist.item/import');
      await choose(open);
      await page.getByLabel(says.encoding).waitFor();
      expect(await page.getByLabel(says.encoding).inputValue()).toBe('windows-1252');
      expect(await page.getByLabel(says.headings).inputValue()).toBe('3');
      await map();
      await page.getByText(says.asked).waitFor();
      expect(await run.isDisabled()).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/import-asked-${width}.png`, fullPage: true });
      await page.getByLabel(says.date).selectOption('day');
      await page.getByLabel(says.number).focus();
      // The point comes first, then the comma; the file is read again in between.
      await page.keyboard.press('ArrowDown');
      await first.getByText('1.234'.replace('.', lang === 'fr' ? ',' : '.')).waitFor();
      await page.keyboard.press('ArrowDown');
      await isOpen.first().waitFor({ state: 'detached' });
      await first.getByText(says.price).waitFor();

      // The other line of the full file tells what its columns mean.
      await page.reload();
      await choose(clear);
      await page.getByLabel(says.encoding).waitFor();
      await map();
      await first.getByText(says.price).waitFor();
      expect(await isOpen.count()).toBe(0);
      await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('[data-slot=run]')?.disabled);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/import-clear-${width}.png`, fullPage: true });
      await run.click();
      await page.waitForURL((url) => !url.pathname.endsWith('/import'));
      const rules = await app.read((ctx) =>
        ctx
          .model(PricelistItem)
          .find([['pricelist_id', '=', list]], { select: { date_start: true, fixed_price: true }, order: 'id' }),
      );
      expect(rules).toMatchObject([
        { date_start: new Date('2026-04-03T09:30:00Z'), fixed_price: '1234' },
        { date_start: new Date('2026-12-31T18:00:00Z'), fixed_price: '1234.56' },
      ]);
      await expectNoTrouble({ layoutShift: 0.3 });
    },
  );
});
