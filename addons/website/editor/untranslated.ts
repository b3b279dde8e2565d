import { DomUtils, parseDocument } from 'htmlparser2';
import type { Ctx, Id } from '#core';
import { type Markup, readMarkup } from '#core/orm';
import { readFormTexts } from '../forms/translation.ts';
import { SavedBlock } from '../snippets/saved/saved-block.ts';
import {
  type MarkupTranslation,
  openTerms,
  type Standing,
  standing,
  type TranslatedText,
  translationIn,
} from './translation.ts';

/** A language of the site in which a page is not told whole. */
export interface Untranslated extends Omit<Standing, 'all'> {
  /** `fr_FR` */
  readonly lang: string;
  readonly name: string;
}

/** Something on a page that is translated once, for every page it stands on, with how far it is. */
export interface TranslatedPart extends Standing {
  readonly block: 'website.saved' | 'website.form';
  readonly id: Id;
}

/** Markup whose texts are translated, with what else there is to translate on it. */
export interface OpenTranslation extends MarkupTranslation {
  readonly parts: readonly TranslatedPart[];
}

interface Part extends Pick<TranslatedPart, 'block' | 'id'> {
  textsIn(lang: string): readonly TranslatedText[];
}

/** The languages of the site that lack texts of a page, of shared blocks on it, or of forms; none of a page the caller may not read. */
export async function untranslated(ctx: Ctx, page: Id): Promise<Untranslated[]> {
  const pages = ctx.model('website.page');
  const [readable] = await pages.allowed([page], 'read');
  const own = readable === undefined ? null : await readMarkup(pages, readable, 'content');
  if (!own) return [];
  const parts = await partsOf(ctx, own);
  return (ctx.attributes.website?.languages ?? []).flatMap(({ code, name }) => {
    const texts = [...openTerms(own, code), ...parts.flatMap((part) => part.textsIn(code))];
    const { missing, outdated } = standing(texts);
    return missing + outdated > 0 ? [{ lang: code, name, missing, outdated }] : [];
  });
}

/** What there is to translate of markup and on it, for whoever edits a language that has the structure of another one; null else. */
export async function openTranslation(ctx: Ctx, markup: Markup | null): Promise<OpenTranslation | null> {
  const translation = translationIn(ctx, markup);
  if (!markup || !translation) return null;
  const parts = await partsOf(ctx, markup);
  return {
    ...translation,
    parts: parts.map(({ block, id, textsIn }) => ({ block, id, ...standing(textsIn(ctx.lang)) })),
  };
}

/** Shared blocks on a page, and the forms on it and on them. */
async function partsOf(ctx: Ctx, page: Markup): Promise<Part[]> {
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
        id,
        textsIn: (lang) => openTerms(markup, lang),
      }),
    ),
    ...forms.flatMap((form): Part[] => (form ? [{ block: 'website.form', ...form }] : [])),
  ];
}

/** The records that blocks of a kind show, by the option that names them. */
function placed(html: string, block: string, option: string): Id[] {
  const places = DomUtils.findAll(({ attribs }) => attribs['data-block'] === block, parseDocument(html).children);
  const named = new RegExp(`"${option}":\\s*(\\d+)`);
  return [...new Set(places.map(({ attribs }) => Number(named.exec(attribs['data-options'] ?? '')?.[1] ?? 0)))];
}
