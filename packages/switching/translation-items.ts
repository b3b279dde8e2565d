import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Addon, type Generation, type PlanItem, sentence } from '@pergola/core';
import { catalogs as catalogsKey, localeOf, missingTexts } from '@pergola/texts';

/** Number of texts quoted in a plan. */
const MAX_EXAMPLES = 3;

/** Notes on untranslated texts of new addons, by language of the site. */
export async function translationItems(
  coming: readonly Addon[],
  languages: readonly string[],
  generation: Generation,
): Promise<PlanItem[]> {
  const catalogs = generation.get(catalogsKey);
  const items: PlanItem[] = [];
  for (const lang of languages.filter((code) => !code.startsWith('en'))) {
    const code = new Intl.Locale(localeOf(lang)).language;
    const language = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? lang;
    for (const { name: addon, folder, definition } of coming) {
      const word = { addon: [{ addon, text: definition.title }] };
      if (!existsSync(join(folder, 'i18n'))) {
        const text = sentence(
          '“{addon}” isn’t translated into {language}. Its texts are shown in English.',
          { language },
          word,
        );
        items.push({ topic: 'note', addon, sentence: text, data: text.params });
        continue;
      }
      const missing = await missingTexts(catalogs, { addon, folder, lang });
      if (missing.length === 0) continue;
      const examples = missing
        .slice(0, MAX_EXAMPLES)
        .map((text) => `“${text.slice(0, 60)}”`)
        .join(', ');
      const noteText = sentence(
        '“{addon}” texts not translated into {language}: {count}, such as {examples}.',
        { count: missing.length, language, examples },
        word,
      );
      items.push({ topic: 'note', addon, sentence: noteText, data: noteText.params });
    }
  }
  return items;
}
