import { createTestApp, eachDatabase } from '#core/testing';

eachDatabase('The library', (database) => {
  it('lists its books, lends each copy once, and is gone without a trace', async () => {
    await using app = await createTestApp({ addons: ['library'], database, demo: true });
    const [, path = ''] = /href="([^"]*bees[^"]*)"/.exec((await app.get('/library')).text) ?? [];
    expect((await app.get(path)).text).toContain('Copies there: 1');
    const book = Number(/\d+$/.exec(path)?.[0]);

    const reader = await app.as('portal');
    expect(await reader.rpc('/library/reserve', { book })).toMatchObject({ free: 0 });
    // The demo customer reads French.
    await expect(reader.rpc('/library/reserve', { book })).rejects.toThrow('Tous les exemplaires sont prêtés.');
    expect((await app.get(path)).text).toContain('Copies there: 0');

    const { lifecycle } = app.application;
    await lifecycle.disable(['library'], { yes: true });
    expect((await app.get('/library')).status).toBe(404);
    await lifecycle.enable(['library'], { yes: true });
    expect((await app.get(path)).text).toContain('Copies there: 0');
    await lifecycle.uninstall('library', { yes: true, confirm: 'library' });
    expect((await app.get('/library')).status).toBe(404);
  });
});
