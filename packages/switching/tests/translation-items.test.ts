import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Addon, Generation } from '../../../core/kernel/index.ts';
import { inEnglish } from '../../../core/kernel/sentence.ts';
import { translationItems } from '../translation-items.ts';

const root = mkdtempSync(path.join(tmpdir(), 'untranslated-'));
afterAll(() => rmSync(root, { recursive: true }));

/** An addon with these texts, of which "Done" alone is translated. */
function addonWith(name: string, texts: readonly string[] | null): Addon {
  const folder = path.join(root, name);
  mkdirSync(texts ? path.join(folder, 'i18n') : folder, { recursive: true });
  const entries = (texts ?? []).map((text) => `msgid "${text}"\nmsgstr ""\n`);
  if (texts) writeFileSync(path.join(folder, 'i18n', `${name}.pot`), `msgid ""\nmsgstr ""\n\n${entries.join('\n')}`);
  return { name, folder, definition: { title: name } } as unknown as Addon;
}

const generation = {
  get: () => ({ lookup: (_lang: string, _addon: string, text: string) => (text === 'Done' ? 'Fini' : undefined) }),
} as unknown as Generation;

test('A plan counts the texts without a translation, by language of the site, and quotes the first', async () => {
  const addons = [
    addonWith('part', ['Book', 'Done', 'Hours', 'Week', 'Day']),
    addonWith('whole', ['Done']),
    addonWith('bare', null),
  ];
  const items = await translationItems(addons, ['en_US', 'fr_FR'], generation);
  expect(items.map(({ sentence }) => inEnglish(sentence))).toEqual([
    '“part” texts not translated into français: 4, such as “Book”, “Hours”, “Week”.',
    '“bare” isn’t translated into français. Its texts are shown in English.',
  ]);
});

test('A site in English alone needs no translations', async () => {
  expect(await translationItems([addonWith('bare', null)], ['en_US', 'en_GB'], generation)).toEqual([]);
});
