import { createTestApp, eachDatabase } from '#core/testing';

eachDatabase('pages', (database) => {
  it('the home page is there in both languages', async () => {
    await using app = await createTestApp({ addons: ['website'], database });
    const home = await app.get('/');
    console.log(home.status, home.text);
    const fr = await app.get('/fr');
    console.log(fr.status, fr.text.slice(0, 3000), fr.headers.getSetCookie());
  });
});
