import type { Ctx, Id } from 'pergola';
import { readTexts } from 'pergola/orm';
import { type PlainText, plainTextIn } from '../editor/page-texts.ts';
import { questionsOf } from './answers.ts';
import { findForm } from './block.ts';
import { WebsiteForm } from './models/form.ts';
import { WebsiteFormField } from './models/form-field.ts';

/** Translatable text of a form. */
export interface FormText extends PlainText {
  /** Question that the text belongs to; null for the form itself. */
  readonly question: Id | null;
  readonly name: 'name' | 'choices' | 'help' | 'button' | 'thanks';
}

/** Texts of a form in all languages. */
export interface FormTexts {
  readonly id: Id;
  readonly name: string;
  /** Texts in display order that have another source than the given language. */
  textsIn(lang: string): FormText[];
}

/** Public texts of a form; null if there is no open form. */
export async function readFormTexts(ctx: Ctx, form: Id): Promise<FormTexts | null> {
  const openForm = await findForm(ctx, form);
  if (!openForm) return null;
  const questions = await questionsOf(ctx, openForm.id);
  const ids = questions.map(({ id }) => id);
  const forms = ctx.model(WebsiteForm);
  const fields = ctx.model(WebsiteFormField);
  const [names, choices, help, button, thanks] = await Promise.all([
    readTexts(fields, ids, 'name'),
    readTexts(fields, ids, 'choices'),
    readTexts(fields, ids, 'help'),
    readTexts(forms, [openForm.id], 'button'),
    readTexts(forms, [openForm.id], 'thanks'),
  ]);
  const all = [
    ...questions.flatMap(({ id, type }) => [
      { question: id, name: 'name' as const, texts: names.get(id) },
      // Choices of other question types stay unchanged.
      { question: id, name: 'choices' as const, texts: /^(choice|several)$/.test(type) ? choices.get(id) : undefined },
      { question: id, name: 'help' as const, texts: help.get(id) },
    ]),
    { question: null, name: 'button' as const, texts: button.get(openForm.id) },
    { question: null, name: 'thanks' as const, texts: thanks.get(openForm.id) },
  ];
  return {
    id: openForm.id,
    name: openForm.name,
    textsIn: (lang) =>
      all.flatMap(({ texts, ...place }) => {
        const text = texts && plainTextIn(texts, lang);
        return text ? [{ ...place, ...text }] : [];
      }),
  };
}
