import { createTestApp, eachDatabase } from '#core/testing';

eachDatabase('Signing in', (database) => {
  it('shows the page', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { status, text } = await app.get('/web/login');
    console.log(text);
    expect(status).toBe(200);
  });
});
