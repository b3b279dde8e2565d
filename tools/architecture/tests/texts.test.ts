import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { extract } from '../../texts/extract.ts';
import { importPo } from '../../texts/import-po.ts';
import type { Violation } from '../problem.ts';
import { checkTexts, translationNotes } from '../texts.ts';

const header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n';

async function violations(files: Record<string, string>): Promise<Violation[]> {
  const root = mkdtempSync(join(tmpdir(), 'law-texts-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkTexts(root, new Map([['club', join(root, 'addons/club')]]));
}

async function check(files: Record<string, string>): Promise<string[]> {
  return (await violations(files)).map(({ rule, file, line }) => `${rule} ${file}:${line}`);
}

const element = {
  'addons/club/behaviours/wall.ts': `import { t } from 'pergola/browser';\nexport default () => alert(t('Titre'));`,
};

test('a translation that code in the browser shows, and does not get, is found', async () => {
  const files = { ...element, 'addons/club/i18n/en.po': `${header}msgid "Titre"\nmsgstr "Title"\n` };
  expect(await check(files)).toEqual(['browser-text-unmarked addons/club/i18n/en.po:5']);
});

test('it is enough that one catalogue of the addon has the mark, and texts of the server need none', async () => {
  const files = {
    ...element,
    'addons/club/routes/wall.ts': `export const wall = (ctx) => t(ctx, 'Mur');`,
    'addons/club/i18n/en.po': `${header}msgid "Titre"\nmsgstr "Title"\n\nmsgid "Mur"\nmsgstr "Wall"\n`,
    'addons/club/i18n/fr.po': `${header}#. browser\nmsgid "Titre"\nmsgstr "Titre"\n`,
  };
  expect(await check(files)).toEqual([]);
});

test('lists and catalogues that are not as “extract” writes them are found', async () => {
  const [addonDir, code] = [
    'addons/club',
    { 'addons/club/routes/wall.ts': `export const wall = (ctx) => t(ctx, 'Mur');` },
  ];
  const root = mkdtempSync(join(tmpdir(), 'law-texts-'));
  mkdirSync(join(root, addonDir, 'routes'), { recursive: true });
  writeFileSync(join(root, addonDir, 'routes/wall.ts'), code['addons/club/routes/wall.ts']);
  await extract({ addon: 'club', addonDir: join(root, addonDir) });
  await importPo({ addon: 'club', addonDir: join(root, addonDir), lang: 'fr' });
  const [list = '', catalogue = ''] = ['club.pot', 'fr.po'].map((file) =>
    readFileSync(join(root, addonDir, 'i18n', file), 'utf8'),
  );
  const extracted = { ...code, 'addons/club/i18n/club.pot': list, 'addons/club/i18n/fr.po': catalogue };
  expect(await check(extracted)).toEqual([]);
  expect(
    await check({ ...extracted, 'addons/club/i18n/fr.po': catalogue.replace('msgstr ""\n"Pro', 'msgstr "" \n"Pro') }),
  ).toEqual(['texts-not-extracted addons/club/i18n/fr.po:1']);
  const more = { 'addons/club/routes/gate.ts': `export const gate = (ctx) => t(ctx, 'Porte');` };
  expect(await check({ ...extracted, ...more })).toEqual([
    'texts-not-extracted addons/club/i18n/club.pot:1',
    'texts-not-extracted addons/club/i18n/fr.po:1',
  ]);
  const [stale] = await violations({
    ...extracted,
    'addons/club/routes/wall.ts': '',
    'addons/club/routes/gate.ts': `\nexport const gate = (ctx) => ctx.t('Porte');`,
  });
  expect(stale?.message).toContain(
    'New in the code: “Porte” (addons/club/routes/gate.ts:2). No longer in the code: “Mur”.',
  );
});

const walls = {
  'addons/club/routes/wall.ts': `export const wall = (ctx) => [1, 2, 3, 4, 5, 6, 7].map((n) => names[n]);
const names = (ctx) => [ctx.t('Done'), ctx.t('One'), ctx.t('Two'),
  ctx.t('Three'), ctx.t('Four'), ctx.t('Five'), ctx.t('Six')];`,
};

/** The addon above with its text list and this French translation of one text. */
async function extractedWalls(french: string): Promise<Record<string, string>> {
  const root = mkdtempSync(join(tmpdir(), 'law-texts-'));
  const addonDir = join(root, 'club');
  mkdirSync(join(addonDir, 'routes'), { recursive: true });
  writeFileSync(join(addonDir, 'routes/wall.ts'), walls['addons/club/routes/wall.ts']);
  await extract({ addon: 'club', addonDir });
  await importPo({ addon: 'club', addonDir, lang: 'fr', source: `${header}msgid "Done"\nmsgstr "${french}"\n` });
  const files = ['club.pot', 'fr.po'].map((file) => [
    `addons/club/i18n/${file}`,
    readFileSync(join(addonDir, 'i18n', file), 'utf8'),
  ]);
  return { ...walls, ...Object.fromEntries(files) };
}

test('missing French of an addon that has some is found, with the first texts and their lines', async () => {
  const [violation, ...others] = await violations(await extractedWalls('Fini'));
  expect(others).toEqual([]);
  expect(violation).toMatchObject({ rule: 'missing-french', file: 'addons/club/i18n/fr.po' });
  expect(violation?.message).toMatch(
    /^6 of 7 texts have no French translation: “One” \(addons\/club\/routes\/wall\.ts:2\), .*“Three” \(\S+:3\).* and 1 more\.$/,
  );
});

test('an addon without any French is no fault, and is noted', async () => {
  const files = await extractedWalls('');
  expect(await check(files)).toEqual([]);
  const root = mkdtempSync(join(tmpdir(), 'law-texts-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const notes = await translationNotes(new Map([['club', join(root, 'addons/club')]]));
  expect(notes).toEqual([expect.stringMatching(/^club has no French translation: 7 texts /)]);
});

test('French signs that could stand on a line of their own are found', async () => {
  const catalogue = (french: string) => ({ 'addons/club/i18n/fr.po': `${header}msgid "Why?"\nmsgstr "${french}"\n` });
  const violations = ['french-plain-space addons/club/i18n/fr.po:5'];
  expect(await check(catalogue('Pourquoi ?'))).toEqual(violations);
  expect(await check(catalogue('« Pourquoi\u00a0»'))).toEqual(violations);
  for (const tight of ['Pourquoi?', 'Objet: pourquoi', '«\u00a0Pourquoi»'])
    expect(await check(catalogue(tight))).toEqual(violations);
  const canadian = { 'addons/club/i18n/fr_CA.po': `${header}msgid "Why?"\nmsgstr "Pourquoi?"\n` };
  expect(await check(canadian)).toEqual([]);
  expect(await check(catalogue('Pourquoi\u00a0? («\u00a0a:b\u00a0»)'))).toEqual([]);
});

test('a translation that no reader sees, since it does not fit its text, is found', async () => {
  const files = {
    'addons/club/routes/wall.ts': `export const wall = (ctx) => t(ctx, '{n} walls');`,
    'addons/club/i18n/fr.po': `${header}msgid "{n} walls"\nmsgstr "{m} murs"\n`,
  };
  expect(await check(files)).toEqual(['unusable-translation addons/club/i18n/fr.po:5']);
});
