import { createTestApp, eachDatabase } from '#core/testing';

eachDatabase('A test application', (database) => {
  it('serves the pages of the addons it was asked for', async () => {
    await using app = await createTestApp({ addons: ['fx_islands'], database });
    const { status, text } = await app.get('/fx_islands');
    expect(status).toBe(200);
    expect(text).toContain('Clicked 3 times');
  });

  it('knows users', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    expect((await admin.get('/web/account')).text).toContain('Administrator');
  });

  it('says why when an addon it was asked for is broken', async () => {
    await expect(createTestApp({ addons: ['fx_bad_manifest'], database })).rejects.toThrow(
      /fx_bad_manifest addon\.ts: .*version/,
    );
  });
});
