import { createTestApp, type TestApp } from 'pergola/testing';

describe('Without JavaScript', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['mass_mailing'], demo: true });
  });
  afterAll(() => app.close());

  it.each([
    ['/newsletter', 'Subscribe', 'Enter an address with an @.', 'You’ll get an email'],
    ['/fr/newsletter', 'S’abonner', 'Saisissez une adresse contenant un @.', 'Vous recevrez un e-mail'],
  ])('one subscribes at %s, and is told of what is no address', async (path, button, refusal, sent) => {
    const press = (email: string) =>
      app.visitor().press(path, 'mass_mailing.Subscribe', button, { email, list_id: '1' });
    expect((await press('nothing')).read).toContain(refusal);
    const { status, read } = await press('eve@example.org');
    expect([status, read]).toEqual([200, expect.stringContaining(sent)]);
  });
});
