import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkTexts } from '../texts.ts';

const header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n';

async function check(files: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'law-texts-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const found = await checkTexts(root, new Map([['club', join(root, 'addons/club')]]));
  return found.map(({ rule, file, line }) => `${rule} ${file}:${line}`);
}

const element = {
  'addons/club/elements/wall.ts': `import { t } from '#core/browser';\nexport default () => alert(t('Titre'));`,
};

test('a translation that code in the browser shows, and does not get, is found', async () => {
  const files = { ...element, 'addons/club/i18n/en.po': `${header}msgid "Titre"\nmsgstr "Title"\n` };
  expect(await check(files)).toEqual(['browser-text-unmarked addons/club/i18n/en.po:5']);
});

test('it is enough that one catalogue of the addon has the mark, and texts of the server need none', async () => {
  const files = {
    ...element,
    'addons/club/routes/wall.ts': `export const wall = (ctx) => ctx.t('Mur');`,
    'addons/club/i18n/en.po': `${header}msgid "Titre"\nmsgstr "Title"\n\nmsgid "Mur"\nmsgstr "Wall"\n`,
    'addons/club/i18n/fr.po': `${header}#. browser\nmsgid "Titre"\nmsgstr "Titre"\n`,
  };
  expect(await check(files)).toEqual([]);
});
