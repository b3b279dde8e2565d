import type { Id } from 'pergola';
import { type AnyModel, isWordless, type PlainTexts, readTexts } from 'pergola/orm';
import type { TranslatedText } from './translation.ts';

/** Translatable plain text of a record. */
export interface PlainText extends TranslatedText {
  /** Source language. */
  readonly from: string;
}

/** Text outside the markup: page title or SEO field. */
export interface PageText extends PlainText {
  readonly field: string;
}

const fields = ['website_meta_title', 'website_meta_description', 'website_meta_keywords'] as const;

/** Reads page title and SEO texts in all languages; `textsIn` skips texts whose source is the given language. */
export async function readPageTexts(model: AnyModel, id: Id): Promise<{ textsIn(lang: string): PageText[] }> {
  // Names of other records appear on their pages and are translated there.
  const nameFields = model.modelName === 'website.page' ? ['name'] : [];
  const names = Object.hasOwn(model.fields, fields[0]) ? [...nameFields, ...fields] : [];
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

/** Text with its translation into a language; null if it is the source language. */
export function plainTextIn({ source, text, languages }: PlainTexts, lang: string): PlainText | null {
  if (source === lang) return null;
  return { from: source, source: text, term: languages.get(lang) ?? null, optional: isWordless(text) };
}
