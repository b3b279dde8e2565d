import type { Id } from 'pergola';
import { type AnyModel, isWordless, type PlainTexts, readTexts } from 'pergola/orm';
import type { TranslatedText } from './translation.ts';

/** A plain text of a record as it is translated. */
export interface PlainText extends TranslatedText {
  /** The language that is translated. */
  readonly from: string;
}

/** A text that stands in no markup: the title of a page, or what search engines are told of it. */
export interface PageText extends PlainText {
  readonly field: string;
}

const fields = ['website_meta_title', 'website_meta_description', 'website_meta_keywords'] as const;

/** What a page is called, and what search engines are told of a record's page, in all languages; without those that were written in this one. */
export async function readPageTexts(model: AnyModel, id: Id): Promise<{ textsIn(lang: string): PageText[] }> {
  // Names of other records stand on their pages, and are translated there.
  const named = model.modelName === 'website.page' ? ['name'] : [];
  const names = Object.hasOwn(model.fields, fields[0]) ? [...named, ...fields] : [];
  const read = await Promise.all(
    names.map(async (field) => ({ field, texts: (await readTexts(model, [id], field)).get(id) })),
  );
  return {
    textsIn: (lang) =>
      read.flatMap(({ field, texts }) => {
        const text = texts && plainTextIn(texts, lang);
        return text ? [{ field, ...text }] : [];
      }),
  };
}

/** How a text stands in a language; null for what was written in it. */
export function plainTextIn({ source, text, languages }: PlainTexts, lang: string): PlainText | null {
  if (source === lang) return null;
  return { from: source, source: text, term: languages.get(lang) ?? null, optional: isWordless(text) };
}
