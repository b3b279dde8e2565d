import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { addonFolders, addonRoots } from '../../../core/base/addon-folders.ts';
import { listMailTexts, mailText, previewMailText } from '../index.ts';

const addons = [...addonFolders(addonRoots(undefined)).keys()];

/** Previews every registered mail in its shipped words. */
async function previewAll(app: TestApp) {
  return app.read(async (ctx) => {
    const previews = [];
    for (const { name } of await listMailTexts(ctx)) {
      for (const lang of ['en_US', 'fr_FR']) {
        const { shipped } = await mailText(ctx, name, lang);
        previews.push({ name, lang, ...(await previewMailText(ctx, name, lang, shipped)) });
      }
    }
    return previews;
  });
}

eachDatabase('Previews of mails', (database) => {
  it.each([
    ['the records of the demo data', true],
    ['made-up values', false],
  ])('show every mail of every addon with %s', async (_name, demo) => {
    await using app = await createTestApp({ addons, database, demo });
    const previews = await previewAll(app);
    expect(previews.length).toBeGreaterThan(40);
    expect(previews.filter(({ faults }) => faults.length > 0)).toEqual([]);
    for (const { name, subject, html } of previews) {
      expect({ name, subject, html }).toEqual({
        name,
        subject: expect.stringMatching(/\S/),
        html: expect.stringContaining('</html>'),
      });
      // Conditions, lists and missing values that show up as text.
      expect({
        name,
        wrong: /\b(?:true|undefined|NaN|\[object Object\]|Invalid Date)\b/.exec(
          `${subject} ${html.replace(/<[^>]*>/g, ' ')}`,
        )?.[0],
      }).toEqual({ name });
    }
  });
});
