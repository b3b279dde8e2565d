import { Partner, User } from '@pergola/base';
import { createTestApp, expectAccessible, type Mailbox, openMailbox, type TestApp, withBrowser } from 'pergola/testing';
import type { Page } from 'playwright-core';
import { PaymentRefund } from '../models/payment-refund.ts';

const words = {
  en: {
    customer: /^Customer(?! reference)/,
    add: /^Add a line$/,
    product: /^Product, line 1/,
    quantity: /^Quantity, line 1/,
    save: /^Save$/,
    confirm: /^Confirm$/,
    register: /^Register payment$/,
    refund: /^Refund$/,
    more: /^More$/,
    payments: /^Payments$/,
    question: /^Refund 1,000\.00\s€ of 6,960\.00\s€ to /,
  },
  fr: {
    customer: /^Client/,
    add: /^Ajouter une ligne$/,
    product: /^Article, ligne 1/,
    quantity: /^Quantité, ligne 1/,
    save: /^Enregistrer$/,
    confirm: /^Confirmer$/,
    register: /^Enregistrer un paiement$/,
    refund: /^Rembourser$/,
    more: /^Plus$/,
    payments: /^Paiements$/,
    question: /^Rembourser 1\s000,00\s€ sur 6\s960,00\s€ à /,
  },
} as const;

/** By Tab alone to what is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed = new Set<string>();
  for (let tabs = 0; tabs < 150; tabs += 1) {
    const here = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.ariaLabel ?? element?.labels?.[0]?.innerText ?? element?.innerText ?? '';
      return label.replace(/\s+/g, ' ').trim();
    });
    if (name.test(here)) return;
    passed.add(here.slice(0, 40));
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}, but to: ${[...passed].join(' · ')}`);
}

describe('an order in the backend', () => {
  const browser = withBrowser();
  let app: TestApp;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['sale'], demo: true, env: { SMTP_URL: mailbox.url } });
  });
  afterAll(async () => {
    await app?.close();
    await mailbox?.close();
  });

  it.each([
    ['en', 1280, false],
    ['fr', 360, true],
  ] as const)(
    'goes from nothing to paid and refunded in part in a few actions (%s, %i pixels wide, dark: %s, keyboard where narrow)',
    async (lang, width, dark) => {
      await app.write(async (ctx) => {
        const user = await ctx.ref('base.user_admin');
        const { partner_id } = await ctx.model(User).get(user, { select: { partner_id: true } });
        await ctx.model(Partner).write(partner_id, { lang: lang === 'fr' ? 'fr_FR' : 'en_US' });
      });
      const client = await app.as('admin');
      const { page, expectNoTrouble } = await browser.openPage({ width, height: 900, dark, baseUrl: app.url, client });
      const says = words[lang];
      const keysOnly = width < 600;
      let actions = 0;
      const press = async (name: RegExp, within = page.locator('body')): Promise<void> => {
        actions += 1;
        if (!keysOnly) return within.getByRole('button', { name }).click();
        await tabTo(page, name);
        await page.keyboard.press('Enter');
      };
      const type = async (name: RegExp, text: string): Promise<void> => {
        if (keysOnly) await tabTo(page, name);
        else await page.getByLabel(name).click({ clickCount: 3 });
        await page.keyboard.type(text);
      };
      const choose = async (name: RegExp, text: string): Promise<void> => {
        await type(name, text);
        await page
          .getByRole('option', { name: new RegExp(text) })
          .first()
          .waitFor();
        await page.keyboard.press('Enter');
      };
      const shows = (field: string, text: RegExp) => page.locator(`[data-field=${field}]`, { hasText: text }).waitFor();
      const amountIs = (amount: string) =>
        page.waitForFunction(
          (wanted) =>
            document.querySelector<HTMLInputElement>('dialog [data-field=amount] input')?.value.replace(/\D/g, '') ===
              wanted && document.activeElement?.closest('[data-field=amount]') != null,
          amount,
        );
      await page.goto('/web/m/sale.order/new');
      await page.locator('[data-field=partner_id] input').waitFor();
      await choose(says.customer, 'Delft');
      await press(says.add);
      await choose(says.product, lang === 'fr' ? 'Construction' : 'Building');
      // Nothing is saved yet, and all of it is there.
      await shows('amount_total', /3[\s,]480[.,]00/);
      await type(says.quantity, '2');
      await shows('amount_total', /6[\s,]960[.,]00/);
      await press(says.save);
      await page.waitForURL(/\/\d+$/);
      await page.locator('h1', { hasText: /SO\d+/ }).waitFor();
      await press(says.confirm);
      // What was agreed on is no longer typed over.
      await page.locator('[data-field=partner_id] [data-slot=value]', { hasText: 'Delft' }).waitFor();
      expect(await page.getByRole('combobox', { name: says.customer }).count()).toBe(0);
      await press(says.register);
      await amountIs('696000');
      await expectAccessible(page);
      await press(says.register, page.locator('dialog'));
      await page.locator('dialog').waitFor({ state: 'detached' });
      await shows('payment_state', /Paid|Payé/);
      expect(actions).toBeLessThan(12);
      await page.getByRole('button', { name: says.more }).click();
      await page.locator('[data-slot=form-menu] .menu-panel').waitFor();
      await expectAccessible(page);
      if (keysOnly) await page.mouse.click(width / 2, 400);
      else await page.keyboard.press('Escape');
      await page.locator('[data-slot=form-menu] .menu-panel').waitFor({ state: 'detached' });
      // The money is said before it goes, and typing replaces what is proposed.
      await press(says.refund);
      await amountIs('696000');
      await page.keyboard.type('1000');
      const question = page.locator('dialog [data-field=question] [data-slot=value]');
      await question.filter({ hasText: says.question }).waitFor();
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/desk-refund-${width}.png` });
      await expectAccessible(page);
      await press(says.refund, page.locator('dialog'));
      await page.locator('dialog').waitFor({ state: 'detached' });
      const order = Number(page.url().split('/').at(-1));
      const refunds = await app.read((ctx) =>
        ctx.model(PaymentRefund).find([['sale_order_id', '=', order]], { select: { amount: true, state: true } }),
      );
      expect(refunds).toMatchObject([{ amount: 100_000, state: 'to_transfer' }]);
      await page.getByRole('tab', { name: says.payments }).click();
      const moved = page.locator('[data-field=money_history] tbody a');
      await moved.first().waitFor();
      // No reference is broken into syllables, however narrow.
      for (const link of await moved.all()) expect((await link.boundingBox())?.height).toBeLessThan(40);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/desk-${width}.png`, fullPage: true });
      await expectAccessible(page);
      await expectNoTrouble({ layoutShift: 0.1 });
      expect(actions).toBeLessThan(12);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    },
  );
});
