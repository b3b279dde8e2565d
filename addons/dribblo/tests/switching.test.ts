import { createTestApp, someDatabase } from 'pergola/testing';

someDatabase('While the club is switched off', (database) => {
  test('its pages and their places in the menu are gone for visitors; editors are told why', async () => {
    await using app = await createTestApp({ addons: ['dribblo', 'forum'], database, demo: true });
    const visitor = app.visitor();
    const editor = await app.as('editor');
    const menu = async () =>
      [...(await visitor.get('/forum')).text.matchAll(/href="(\/club[^"]*)"/g)].map(([, to]) => to);
    expect(new Set(await menu())).toEqual(new Set(['/club']));
    const admin = await app.as('admin');
    const french = await admin.get('/fr/web/apps/dribblo/disable');
    const [, plan = ''] = (await admin.get(french.location ?? '')).text.split('<noscript>');
    expect(plan).toMatch(/Tâche planifiée supprimée\s: Actualiser la météo/);
    expect(plan).not.toContain('dribblo.refresh_weather');
    await app.application.lifecycle.disable(['dribblo'], { yes: true });
    expect(await menu()).toEqual([]);
    expect((await visitor.get('/club')).status).toBe(404);
    expect((await visitor.get('/sitemap-1.xml')).text).not.toContain('/club');
    const { status, text } = await editor.get('/club');
    expect([
      status,
      text.includes('Visitors can’t see this page because the app “Football club” is disabled.'),
    ]).toEqual([200, true]);
    expect((await editor.get('/club?enable_editor=1')).text).toContain(
      'This block belongs to “Football club”, which is disabled.',
    );
    expect((await editor.get('/fr/club')).text).toMatch(/l’application «\sClub de football\s» est désactivée/);
    expect((await editor.get('/fr/club?enable_editor=1')).text).toMatch(
      /Ce bloc fait partie de «.Club de football.», application désactivée/,
    );
    await app.application.lifecycle.enable(['dribblo']);
    expect((await visitor.get('/club')).status).toBe(200);
    expect(await menu()).toEqual(expect.arrayContaining(['/club']));
  });
});
