import { createTestApp, someDatabase } from 'pergola/testing';
import { WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { roots } from './fixtures/roots.ts';

someDatabase('pages and the routes of addons', (database) => {
  it('the plan names the pages that an addon’s addresses hide; the addon wins, and its leaving brings them back', async () => {
    await using app = await createTestApp({ addons: ['website', 'fx_late'], roots, database });
    await app.application.lifecycle.disable(['fx_late'], { yes: true });
    await app.write(async (ctx) => {
      const page = { name: 'Our club', content: '<p>Club of the editors</p>', website_published: true };
      await ctx.model(WebsitePage).create([
        { ...page, url: '/clubs/ours' },
        { ...page, url: '/clubs' },
        { ...page, url: '/club/ours' },
      ]);
      await ctx
        .model(WebsiteMenu)
        .create({ name: 'The club', url: '/clubs/ours', parent_id: await ctx.ref('website.main_menu') });
    });
    expect((await app.get('/clubs/ours')).text).toContain('Club of the editors');

    const plan = await app.application.lifecycle.plan('enable', ['fx_late']);
    const hidden = plan.items.filter(({ topic, addon }) => topic === 'consequence' && addon === 'website');
    expect(hidden.map(({ sentence }) => sentence.params)).toEqual([
      { page: 'Our club', url: '/clubs/ours', addon: 'fx_late' },
    ]);
    expect(hidden[0]?.sentence.text).toContain('will be hidden');

    await app.application.lifecycle.enable(['fx_late']);
    expect((await app.get('/clubs/ours')).text).toContain('Club of the addon');
    expect((await app.get('/clubs')).text).toContain('Club of the editors');
    await app.application.lifecycle.disable(['fx_late'], { yes: true });
    expect((await app.get('/clubs/ours')).text).toContain('Club of the editors');
  });

  it('without the website the site goes on, and afterwards all is there again', async () => {
    await using app = await createTestApp({ addons: ['website'], database });
    expect((await app.get('/fr/contactus')).status).toBe(200);
    await app.application.lifecycle.disable(['website'], { yes: true });
    const visitor = app.visitor();
    expect((await visitor.get('/contactus')).status).toBe(404);
    expect((await visitor.get('/fr')).status).toBe(404);
    expect((await visitor.get('/sitemap.xml')).status).toBe(404);
    expect(await visitor.get('/')).toMatchObject({ status: 302, location: '/web' });
    expect((await visitor.get('/web/login')).text).not.toContain('data-website-id');
    await app.application.lifecycle.enable(['website']);
    expect((await visitor.get('/fr/contactus')).status).toBe(200);
    expect((await app.visitor().get('/')).text).toContain('data-website-id="1"');
  });
});
