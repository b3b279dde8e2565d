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

/** Translatable part outside the page's texts with its progress: a shared block, a form, or page title and SEO texts. */
export interface TranslatedPart extends Standing {
  readonly block: 'website.saved' | 'website.form' | 'website.seo';
  readonly model: string;
  readonly id: Id;
}

/** Missing and outdated texts in a language, of a page itself or of one of its parts. */
export interface Untranslated extends Omit<Standing, 'all'> {
  /** For example `fr_FR`. */
  readonly lang: string;
  readonly name: string;
  readonly part: Omit<TranslatedPart, keyof Standing> | null;
}

/** Markup translation with the other translatable parts of the page. */
export interface OpenTranslation extends MarkupTranslation {
  readonly parts: readonly TranslatedPart[];
}

interface Part extends Omit<TranslatedPart, keyof Standing> {
  textsIn(lang: string): readonly TranslatedText[];
}

/** Missing and outdated translations of a page, its title, shared blocks and forms; empty if the caller may not read the page. */
export async function untranslated(ctx: Ctx, page: Id): Promise<Untranslated[]> {
  const pages = ctx.model('website.page');
  const [readable] = await pages.allowed([page], 'read');
  if (readable === undefined) return [];
  const markup = await readMarkup(pages, readable, 'content');
  const parts = await partsOf(ctx, pages, readable, markup);
  const places = [
    { part: null, textsIn: (lang: string) => (markup ? openTerms(markup, lang) : []) },
    ...parts.map(({ textsIn, ...part }) => ({ part, textsIn })),
  ];
  return (ctx.attributes.website?.languages ?? []).flatMap(({ code, name }) =>
    places.flatMap(({ part, textsIn }) => {
      const { missing, outdated } = standing(textsIn(code));
      return missing + outdated > 0 ? [{ lang: code, name, part, missing, outdated }] : [];
    }),
  );
}

/** Translatable texts in a record's markup, and its parts, if the markup has the structure of another language; otherwise null. */
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
      const progress = standing(textsIn(ctx.lang));
      return progress.all > 0 || part.block !== 'website.seo' ? [{ ...part, ...progress }] : [];
    }),
  };
}

async function partsOf(ctx: Ctx, model: AnyModel, id: Id, markup: Markup | null): Promise<Part[]> {
  const { textsIn } = await readPageTexts(model, id);
  return [{ block: 'website.seo', model: model.modelName, id, textsIn }, ...(markup ? await partsOn(ctx, markup) : [])];
}

/** Shared blocks on a page, and forms on the page and in these blocks. */
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

/** Ids of the records shown by blocks of a kind, from the given option. */
function placed(html: string, block: string, option: string): Id[] {
  const places = DomUtils.findAll(({ attribs }) => attribs['data-block'] === block, parseDocument(html).children);
  const optionPattern = new RegExp(`"${option}":\\s*(\\d+)`);
  return [...new Set(places.map(({ attribs }) => Number(optionPattern.exec(attribs['data-options'] ?? '')?.[1] ?? 0)))];
}
