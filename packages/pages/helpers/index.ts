import { assets, icon, object, stylesheet } from './assets.ts';
import { field } from './field.ts';
import { date, datetime, money, number } from './formats.ts';
import { href, localized, src, url } from './links.ts';
import { and, eq, group, not, or } from './logic.ts';
import { html, json } from './output.ts';
import { block, csrf, fragment, island } from './parts.ts';
import { attribute, lang } from './request.ts';
import { builtinRules, type HelperRules } from './rules.ts';
import { concat, greeting, join, plural, t } from './texts.ts';
import type { HelperDefinition } from './tools.ts';

/** Implementations by name, as templates call them. */
export type Helpers = ReadonlyMap<string, HelperDefinition>;

/** Helpers available without any addon, besides `if`, `unless`, `each`, `with` and `lookup`. */
export const coreHelpers: Helpers = new Map(
  Object.entries({
    field,
    money,
    number,
    date,
    datetime,
    html,
    json,
    t,
    greeting,
    plural,
    join,
    concat,
    group,
    eq,
    not,
    and,
    or,
    url,
    href,
    src,
    island,
    fragment,
    block,
    csrf,
    assets,
    icon,
    stylesheet,
    object,
    lang,
    attribute,
    localized,
  }),
);

/** Rules of these helpers and of those built into Handlebars. */
export function helperRules(helpers: Helpers = coreHelpers): HelperRules {
  return new Map([...Object.entries(builtinRules), ...helpers]);
}
