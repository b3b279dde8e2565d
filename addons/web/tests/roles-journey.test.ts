import { createTestApp, expectAccessible, type TestApp, withBrowser } from 'pergola/testing';
import { makeUser } from './kit.ts';

const browser = withBrowser();
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ addons: ['web'] });
  await makeUser(app, 'ada', { groups: ['base.group_system'] });
  await makeUser(app, 'camille', { groups: ['base.group_system'], lang: 'fr_FR' });
});
afterAll(() => app.close());

const looks = [
  { login: 'ada', width: 1280, dark: false, words: ['New role', 'Save', 'Contact: Edit', 'Delete'] },
  {
    login: 'camille',
    width: 360,
    dark: true,
    words: ['Nouveau rôle', 'Enregistrer', 'Contact\u00a0: Modifier', 'Supprimer'],
  },
] as const;

it.each(looks)(
  '$login makes a role in the matrix, and takes it away ($width px)',
  async ({ login, words, ...look }) => {
    const [fresh, save, right, remove] = words;
    const client = await app.as(login);
    const { page, expectNoTrouble, close } = await browser.openPage({
      ...look,
      reducedMotion: true,
      baseUrl: app.url,
      client,
    });
    await page.goto('/web/settings/roles');
    await page.getByRole('button', { name: fresh }).click();
    const form = page.locator('[data-slot="role"]');
    await form.locator('input[required]').fill('Addresses');
    await form.locator('input[type=search]').fill('res.partner');
    // By keyboard alone.
    await form.getByRole('checkbox', { name: right }).focus();
    await page.keyboard.press('Space');
    await expectAccessible(page);
    await form.getByRole('button', { name: save }).click();
    const role = page.getByRole('button', { name: 'Addresses 0' });
    await role.click();
    expect(await form.getByRole('checkbox', { name: right }).isChecked()).toBe(true);
    await form.getByRole('button', { name: remove }).click();
    await page.getByRole('dialog').getByRole('button', { name: remove }).click();
    await role.waitFor({ state: 'detached' });
    await expectNoTrouble({ layoutShift: 0.1 });
    await close();
  },
);
