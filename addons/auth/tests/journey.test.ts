import { TOTP } from 'otpauth';
import type { Id } from 'pergola';
import {
  createTestApp,
  expectAccessible,
  type OpenPage,
  type PageOptions,
  type TestApp,
  withBrowser,
} from 'pergola/testing';
import type { Page } from 'playwright-core';
import { SignInProvider } from '../models/auth-provider.ts';
import { KeyGroup } from '../models/res-groups.ts';
import { CALLBACK } from '../services/openid.ts';
import { makeUser, PASSWORD } from './kit.ts';
import { SECRET, startProvider } from './provider.ts';

const browser = withBrowser();
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp({ addons: ['auth', 'website'] });
});
afterAll(() => app.close());

const looks = [
  { login: 'ada', locale: 'en-US', width: 1280, dark: false },
  { login: 'camille', locale: 'fr-FR', width: 360, dark: true },
] as const;

const texts = {
  'en-US': {
    start: '',
    signIn: 'Sign in with a passkey',
    add: 'Add a passkey',
    noted: 'I’ve saved them',
    remove: /^Remove /,
    app: 'Set up an authenticator app',
    use: 'Use this app',
    goOn: 'Continue',
    token: 'Create token',
    make: 'Create token',
    neither: 'I can’t use either',
    withIt: 'Sign in with this code',
    provider: 'Sign in with Example',
  },
  'fr-FR': {
    start: '/fr',
    signIn: 'Se connecter avec une clé d’accès',
    add: 'Ajouter une clé d’accès',
    noted: 'Je les ai notés',
    remove: /^Supprimer /,
    app: 'Configurer une application d’authentification',
    use: 'Utiliser cette application',
    goOn: 'Continuer',
    token: 'Créer un jeton',
    make: 'Créer un jeton',
    neither: 'Je n’ai ni l’une ni l’autre',
    withIt: 'Se connecter avec ce code',
    provider: 'Se connecter avec Example',
  },
} as const;

/** Chromium's own authenticator: a device that keeps passkeys and always recognises its owner. */
async function withAuthenticator({ context, page }: OpenPage): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function password(page: Page, start: string, login: string): Promise<void> {
  await page.goto(`${start}/web/login`);
  await page.locator('#login').fill(login);
  await page.locator('#password').fill(PASSWORD);
  await page.keyboard.press('Enter');
}

let users = 0;
/** A user of its own for each try of a test: one that is late is tried again. */
async function newcomer(login: string, groups?: readonly string[]): Promise<{ who: string; id: Id }> {
  const who = `${login}${++users}`;
  return { who, id: await makeUser(app, who, groups) };
}

const open = (options: PageOptions) => browser.openPage({ reducedMotion: true, baseUrl: app.url, ...options });

it.each(looks)(
  '$login adds a passkey, signs in with it and removes it ($locale, $width px)',
  async ({ login, ...look }) => {
    const { who } = await newcomer(login);
    const words = texts[look.locale];
    const opened = await open(look);
    const { page, expectNoTrouble, close } = opened;
    await withAuthenticator(opened);
    await password(page, words.start, who);
    await page.waitForURL('**/web');
    await page.goto(`${words.start}/web/account/keys`);
    await page.locator('#passkey-name').fill('My “laptop”');
    await expectAccessible(page);
    await page.getByRole('button', { name: words.add }).click();
    await page.getByRole('link', { name: words.noted }).waitFor();
    expect(await page.locator('.keys-codes li').count()).toBe(10);
    await expectAccessible(page);
    await page.getByRole('link', { name: words.noted }).click();
    await page.getByText('My “laptop”').waitFor();
    await expectAccessible(page);
    await page.context().clearCookies();
    await page.goto(`${words.start}/web/login`);
    await expectAccessible(page);
    // By the keyboard alone.
    await page.getByRole('button', { name: words.signIn }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/web');
    await page.goto(`${words.start}/web/account/keys`);
    await page.getByRole('button', { name: words.remove }).click();
    // A page asks first.
    await page.locator('[data-slot=confirm] button').click();
    await page.waitForURL('**done=removed');
    await expectNoTrouble();
    await close();
  },
);

it.each(looks)(
  '$login sets an app up, and signs in with it and a recovery code ($locale, $width px)',
  async ({ login, ...look }) => {
    const { who } = await newcomer(login);
    const words = texts[look.locale];
    // Without JavaScript all the way.
    const { page, close } = await open({ ...look, javaScript: false });
    await password(page, words.start, who);
    await page.waitForURL('**/web');
    await page.goto(`${words.start}/web/account/keys`);
    await page.getByRole('link', { name: words.app }).click();
    const secret = (await page.locator('code.keys-secret').innerText()).replaceAll(' ', '');
    const code = (periods: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + periods * 30_000 });
    await page.locator('#code').fill(code(-1));
    await page.getByRole('button', { name: words.use }).click();
    await page.locator('.keys-codes li').first().waitFor();
    const codes = await page.locator('.keys-codes li').allInnerTexts();
    expect(codes).toHaveLength(10);
    await page.context().clearCookies();
    await password(page, words.start, who);
    await page.locator('#code').fill(code(0));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/web');
    await page.context().clearCookies();
    await password(page, words.start, who);
    await page.getByText(words.neither).click();
    await page.locator('#recovery').fill(codes[4] ?? '');
    await page.getByRole('button', { name: words.withIt }).click();
    await page.waitForURL('**/web');
    await close();
  },
);

it.each(looks)(
  '$login is led to a second step by a group, and makes a token ($locale, $width px)',
  async ({ login, ...look }) => {
    const { who, id } = await newcomer(login, ['base.group_partner_manager']);
    const ask = (second_step: boolean) =>
      app.write(async (ctx) =>
        ctx
          .model(KeyGroup)
          .write(await ctx.model(KeyGroup).search([['code', '=', 'base.group_partner_manager']]), { second_step }),
      );
    await ask(true);
    const words = texts[look.locale];
    const opened = await open(look);
    const { page, expectNoTrouble, close } = opened;
    await withAuthenticator(opened);
    await password(page, words.start, who);
    await page.waitForURL('**/web/login/setup');
    await expectAccessible(page);
    await page.getByRole('button', { name: words.add }).click();
    await page.getByRole('link', { name: words.noted }).click();
    await page.waitForURL('**/web');
    await page.goto(`${words.start}/web/account/keys`);
    await page.getByRole('link', { name: words.token }).click();
    await page.locator('#name').fill('Robot');
    await page.locator('.keys-rights summary').first().click();
    await page.locator('input[value="res.partner:r"]').check();
    await expectAccessible(page);
    await page.getByRole('button', { name: words.make }).click();
    const token = await page.locator('#token').inputValue();
    expect(token).toMatch(/^pgt_/);
    await expectAccessible(page);
    const count = await app.visitor().rpc('/jsonrpc', {
      service: 'object',
      method: 'execute_kw',
      args: ['pergola', id, token, 'res.partner', 'search_count', [[]], {}],
    });
    expect(count).toEqual(expect.any(Number));
    await expectNoTrouble();
    await close();
    await ask(false);
  },
);

it.each(looks)('$login signs in with a provider ($locale, $width px)', async ({ login, ...look }) => {
  const { who } = await newcomer(login);
  const house = await startProvider(app.url + CALLBACK, {
    [who]: { email: `${who}@example.com`, email_verified: true },
  });
  await app.write(async (ctx) => {
    const providers = ctx.model(SignInProvider);
    await providers.unlink(await providers.search([]));
    await providers.create({ name: 'Example', issuer: house.issuer, client_id: 'pergola', client_secret: SECRET });
  });
  const words = texts[look.locale];
  // The provider's own pages are no matter of ours.
  const { page, close } = await open(look);
  await page.goto(`${words.start}/web/login`);
  await expectAccessible(page);
  await page.getByRole('link', { name: words.provider }).click();
  await page.waitForURL('**/interaction/**');
  await page.locator('input[name=login]').fill(who);
  await page.locator('input[name=password]').fill('x');
  await page.keyboard.press('Enter');
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/web');
  await close();
  house.close();
});
