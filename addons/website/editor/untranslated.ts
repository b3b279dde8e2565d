import { DomUtils, parseDocument } from 'htmlparser2';
import type { Ctx, Id } from 'pergola';
import { type AnyModel, type Markup, readMarkup } from 'pergola/orm';
import { readFormTexts } from '../forms/translation.ts';
import { SavedBlock } from '../snippets/saved/saved-block.ts';
import { readPageTexts } from './page-texts.ts';
import {
  type MarkupTranslation,
  openTerms,
  type Standing,
  standing,
  type TranslatedText,
  translationIn,
} from './translation.ts';

/** Something of a page that is translated beside its text, with how far it is: a shared block, a form, or its title with what search engines are told. */
export interface TranslatedPart extends Standing {
  readonly block: 'website.saved' | 'website.form' | 'website.seo';
  readonly model: string;
  readonly id: Id;
}

/** Texts that a language of the site lacks: of a page itself, or of something that is translated beside its text. */
export interface Untranslated extends Omit<Standing, 'all'> {
  /** `fr_FR` */
  readonly lang: string;
  readonly name: string;
  readonly part: Omit<TranslatedPart, keyof Standing> | null;
}

/** Markup whose texts are translated, with what else there is to translate on it. */
export interface OpenTranslation extends MarkupTranslation {
  readonly parts: readonly TranslatedPart[];
}

interface Part extends Omit<TranslatedPart, keyof Standing> {
  textsIn(lang: string): readonly TranslatedText[];
}

/** What the languages of the site lack of a page, its title, shared blocks on it, and forms; nothing of a page the caller may not read. */
export async function untranslated(ctx: Ctx, page: Id): Promise<Untranslated[]> {
  const pages = ctx.model('website.page');
  const [readable] = await pages.allowed([page], 'read');
  if (readable === undefined) return [];
  const own = await readMarkup(pages, readable, 'content');
  const parts = await partsOf(ctx, pages, readable, own);
  const places = [
    { part: null, textsIn: (lang: string) => (own ? openTerms(own, lang) : []) },
    ...parts.map(({ textsIn, ...part }) => ({ part, textsIn })),
  ];
  return (ctx.attributes.website?.languages ?? []).flatMap(({ code, name }) =>
    places.flatMap(({ part, textsIn }) => {
      const { missing, outdated } = standing(textsIn(code));
      return missing + outdated > 0 ? [{ lang: code, name, part, missing, outdated }] : [];
    }),
  );
}

/** What there is to translate of a record's markup and on it, for whoever edits a language that has the structure of another one; null else. */
export async function openTranslation(
  ctx: Ctx,
  model: AnyModel,
  id: Id,
  markup: Markup | null,
): Promise<OpenTranslation | null> {
  const translation = translationIn(ctx, markup);
  if (!markup || !translation) return null;
  const parts = await partsOf(ctx, model, id, markup);
  return {
    ...translation,
    parts: parts.flatMap(({ textsIn, ...part }) => {
      const own = standing(textsIn(ctx.lang));
      return own.all > 0 || part.block !== 'website.seo' ? [{ ...part, ...own }] : [];
    }),
  };
}

async function partsOf(ctx: Ctx, model: AnyModel, id: Id, markup: Markup | null): Promise<Part[]> {
  const { textsIn } = await readPageTexts(model, id);
  return [{ block: 'website.seo', model: model.modelName, id, textsIn }, ...(markup ? await partsOn(ctx, markup) : [])];
}

/** Shared blocks on a page, and the forms on it and on them. */
async function partsOn(ctx: Ctx, page: Markup): Promise<Part[]> {
  const blocks = ctx.model(SavedBlock);
  const saved = await Promise.all(
    placed(page.html, 'website.saved', 'block').map(async (id) => ({
      id,
      markup: await readMarkup(blocks, id, 'content'),
    })),
  );
  const shared = saved.flatMap(({ id, markup }) => (markup ? [{ id, markup }] : []));
  const html = [page, ...shared.map(({ markup }) => markup)].map((markup) => markup.html).join('');
  const forms = await Promise.all(placed(html, 'website.form', 'form').map((id) => readFormTexts(ctx, id)));
  return [
    ...shared.map(
      ({ id, markup }): Part => ({
        block: 'website.saved',
        model: blocks.modelName,
        id,
        textsIn: (lang) => openTerms(markup, lang),
      }),
    ),
    ...forms.flatMap((form): Part[] =>
      form ? [{ block: 'website.form', model: 'website.form', id: form.id, textsIn: form.textsIn }] : [],
    ),
  ];
}

/** The records that blocks of a kind show, by the option that names them. */
function placed(html: string, block: string, option: string): Id[] {
  const places = DomUtils.findAll(({ attribs }) => attribs['data-block'] === block, parseDocument(html).children);
  const named = new RegExp(`"${option}":\\s*(\\d+)`);
  return [...new Set(places.map(({ attribs }) => Number(named.exec(attribs['data-options'] ?? '')?.[1] ?? 0)))];
}
