import { onWebsite } from '#addons/website';
import type { Ctx, Domain, FieldsOf, Id, RawDomain } from '#core';
import { ShopTemplate } from '../../models/product-template.ts';
import type { Question } from './question.ts';

type ShopDomain = Domain<FieldsOf<InstanceType<typeof ShopTemplate>>>;

/** Everything the shop of this site lists, for whoever looks: visitors see what is published, editors also what is not. */
export function wholeShop(ctx: Ctx): ShopDomain {
  return [...ctx.model(ShopTemplate).shopDomain(), ...onWebsite(ctx)] as RawDomain as ShopDomain;
}

/** What fits a question: all words of the search, one of the chosen values of each attribute, the category or one below. */
export function fitting(ctx: Ctx, question: Question, categories: readonly Id[] | null): ShopDomain {
  const domain: unknown[] = [...wholeShop(ctx)];
  if (categories) domain.push(['public_categ_ids', 'in', categories]);
  for (const [, values] of question.chosen) domain.push(['attribute_line_ids.value_ids', 'in', values]);
  if (question.search !== '') {
    // A code finds its product; words are looked for in names and texts.
    domain.push(
      '|',
      ['id', 'matches', question.search],
      ['product_variant_ids.default_code', '=ilike', `${escaped(question.search)}%`],
    );
  }
  return domain as RawDomain as ShopDomain;
}

/** Wildcards that somebody typed are letters. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
