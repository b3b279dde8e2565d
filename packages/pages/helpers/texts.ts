import { firstName } from '@pergola/content';
import { fill, sourcePlural } from '@pergola/texts';
import { translatedMark } from './rules.ts';
import {
  escapeText,
  type HelperDefinition,
  type HelperOptions,
  type HelperResult,
  helperFault,
  isMarkup,
  markup,
  renderOf,
  textOption,
} from './tools.ts';

/**
 * `{{t "Hello {name}" name=user.name}}`: a translated text where markup can't be translated directly, such as in an argument of a partial.
 * Literal texts are translated when the template is compiled; for a value (`{{t label}}`) the translation is looked up.
 */
export const t: HelperDefinition = {
  params: [1, 1],
  options: 'any',
  make:
    () =>
    (text: unknown, options: HelperOptions): HelperResult =>
      filled(renderOf(options).t(String(text ?? '')), options.hash),
};

/**
 * `{{greeting name}}`: salutation of an email, with the recipient's first name (see `firstName`); with the whole name if `whole` is true,
 * for companies.
 */
export const greeting: HelperDefinition = {
  params: [1, 1],
  options: ['whole'],
  make:
    () =>
    (name: unknown, options: HelperOptions): string => {
      const { t } = renderOf(options);
      const fullName = String(name ?? '').trim();
      const first = options.hash.whole === true ? fullName : firstName(fullName);
      return first ? t('Hello {name},', { name: first }) : t('Hello,');
    },
};

/** `{{plural n "{n} answer" "{n} answers"}}`: the plural form for a number, which replaces `{n}`. */
export const plural: HelperDefinition = {
  params: [3, 8],
  options: 'any',
  needs: { 0: 'number' },
  make:
    ({ formats, pluralIndex }) =>
    (n: unknown, ...rest: unknown[]): HelperResult => {
      const options = rest.at(-1) as HelperOptions;
      const count = Number(n);
      if (!Number.isFinite(count)) throw helperFault(options, `"${String(n)}" is not a number`);
      const forms = rest.slice(0, -1).map(String);
      const { [translatedMark]: translated, ...params } = options.hash;
      const index = translated === true ? pluralIndex(count) : sourcePlural.index(count);
      return filled(forms[index] ?? forms.at(-1) ?? '', {
        n: formats.formatNumber(count, renderOf(options).lang),
        ...params,
      });
    },
};

/** `{{join tags ", "}}`, `{{join tags ", " key="name"}}`: values joined with a separator. */
export const join: HelperDefinition = {
  params: [1, 2],
  options: ['key'],
  needs: { 0: 'list' },
  make:
    () =>
    (list: unknown, ...rest: unknown[]): string => {
      const options = rest.at(-1) as HelperOptions;
      const between = rest.length > 1 ? String(rest[0]) : ', ';
      if (list === null || list === undefined) return '';
      if (!Array.isArray(list)) throw helperFault(options, 'it takes a list');
      const key = textOption(options, 'key');
      return list.map((item: unknown) => textOf(item, key)).join(between);
    },
};

function textOf(item: unknown, key: string | undefined): string {
  if (key === undefined) return String(item ?? '');
  return typeof item === 'object' && item !== null && Object.hasOwn(item, key)
    ? String(Reflect.get(item, key) ?? '')
    : '';
}

/** `(concat "card-" id)`: concatenated values. */
export const concat: HelperDefinition = {
  params: [1, Number.POSITIVE_INFINITY],
  make:
    () =>
    (...values: unknown[]): string =>
      values
        .slice(0, -1)
        .map((value) => (value === null || value === undefined ? '' : String(value)))
        .join(''),
};

/** Fills in `{name}`; if a value is markup, the result is too, with everything else in it escaped. */
function filled(text: string, params: Readonly<Record<string, unknown>>): HelperResult {
  if (!Object.values(params).some(isMarkup)) return fill(text, params);
  const escaped = Object.entries(params).map(([name, value]) => [
    name,
    isMarkup(value) ? value.toHTML() : escapeText(value),
  ]);
  return markup(fill(escapeText(text), Object.fromEntries(escaped)));
}
