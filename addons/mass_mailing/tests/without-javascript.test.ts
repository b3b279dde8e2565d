import { createTestApp, type TestApp } from '#core/testing';

describe('Without JavaScript', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['mass_mailing'], demo: true });
  }, 120_000);
  afterAll(() => app.close());

  it.each([
    ['/newsletter', 'Subscribe', 'with an @ in it', 'We have sent you a mail'],
    ['/fr/newsletter', 'S’abonner', 'contenant un @', 'Nous vous avons envoyé un e-mail'],
  ])('one subscribes at %s, and is told of what is no address', async (path, button, refusal, sent) => {
    const press = (email: string) =>
      app.visitor().press(path, 'mass_mailing.Subscribe', button, { email, list_id: '1' });
    expect((await press('nothing')).read).toContain(refusal);
    const { status, read } = await press('eve@example.org');
    expect([status, read]).toEqual([200, expect.stringContaining(sent)]);
  });
});
