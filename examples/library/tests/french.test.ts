import { createTestApp } from 'pergola/testing';

it('speaks French', async () => {
  await using app = await createTestApp({ addons: ['library'], demo: true });
  const { text } = await app.get('/fr/library');
  expect(text).toContain('Bibliothèque');
  const [, path = ''] = /href="([^"]*jardin-[^"]*)"/.exec(text) ?? [];
  expect((await app.get(path)).text).toMatch(/Exemplaires libres\s: 2/);
});
