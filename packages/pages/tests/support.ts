import type { Problem } from '../../../core/base/errors.ts';
import { atOnce } from '../../../core/base/time-slices.ts';
import type { AnyField } from '../../orm/fields.ts';
import { META, type RowMeta } from '../../orm/meta.ts';
import type { CurrencyFormat } from '../../texts/format.ts';
import type { AddonTemplates } from '../build.ts';
import { coreHelpers } from '../helpers/index.ts';
import type { RenderContext } from '../render-context.ts';
import { type TemplateInput, type TemplateResult, templateSteps } from '../templates.ts';

const euro: CurrencyFormat = { code: 'EUR', digits: 2, symbol: '€', position: 'after' };

/** What a request would give its templates, with hooks that show that they were asked. */
export function renderContext(changes: Partial<RenderContext> = {}): RenderContext {
  return {
    lang: 'en_US',
    timezone: 'Europe/Paris',
    siteTimezone: 'Europe/Paris',
    groups: new Set(),
    editor: false,
    editable: () => false,
    currency: (id) => (id === 1 || id === 'EUR' ? euro : undefined),
    now: () => new Date('2026-11-21T12:00:00Z'),
    t: (text, params) => text.replace(/\{(\w+)\}/g, (written, name: string) => String(params?.[name] ?? written)),
    choice: (model, field, value) => `${model}.${field}: ${value}`,
    url: (path) => path,
    image: (model, id, field, _file, box) => {
      const { width } = typeof box === 'number' ? { width: box } : box;
      return `/web/image/${model}/${id}/${field}${width ? `?w=${width}&h` : ''}`;
    },
    island: (id, props, options) => `<island ${id} ${JSON.stringify(props)} ${options.on} ${options.media ?? ''}>`,
    assets: (area) => `<link rel="stylesheet" href="/${area}.css">`,
    stylesheet: (id) => `<link rel="stylesheet" href="/${id}.css">`,
    contentStyles: (html) => (html.includes('s_') ? '<link rel="stylesheet" href="/s.css">' : ''),
    icon: (name) => `<svg class="icon-${name}"></svg>`,
    attribute: (path) => (path === 'website.id' ? 1 : undefined),
    csrf: () => '<input type="hidden" name="csrf_token">',
    fragment: (id) => `<fragment ${id}>`,
    block: (id, options) => `<block ${id} ${JSON.stringify(options)}>`,
    fillBlocks: (html) => html.replace('></div>', '>filled</div>'),
    ...changes,
  };
}

/** One addon's templates by id. */
export function addon(
  name: string,
  templates: Readonly<Record<string, string>>,
  patches: Readonly<Record<string, string>> = {},
): AddonTemplates {
  return {
    name,
    templates: Object.entries(templates).map(([id, source]) => ({ id, file: `templates/${id}.hbs`, source })),
    patches: Object.entries(patches).map(([target, source]) => ({
      target,
      file: `templates/${target}.patch.hbs`,
      source,
    })),
  };
}

export function build(addons: readonly AddonTemplates[], more: Partial<TemplateInput> = {}): TemplateResult {
  return atOnce(
    templateSteps({ addons, helpers: coreHelpers, languages: ['en_US'], translate: () => undefined, ...more }),
  );
}

/** What one template renders to; fails when it has problems. */
export function renderSource(
  source: string,
  values: object = {},
  changes: Partial<RenderContext> = {},
  more: Partial<TemplateInput> = {},
): string {
  const { templates, problems } = build([addon('t', { 't.page': source })], more);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return templates.render('t.page', values, renderContext(changes));
}

/** The problems of one template, each as a line. */
export function problemsOf(source: string): string[] {
  return build([addon('t', { 't.page': source })]).problems.map(line);
}

/** The problems of one change to one template. */
export function patchProblems(source: string, patch: string): string[] {
  return build([addon('t', { 't.page': source }), addon('p', {}, { 't.page': patch })]).problems.map(line);
}

export function line({ addon, file, line, message, remedy }: Problem): string {
  return `${addon} ${file}:${line} ${message}${remedy ? ` ${remedy}` : ''}`;
}

/** A row as `find` gives it. */
export function row<T extends object>(
  values: T,
  fields: Readonly<Record<string, AnyField>>,
  meta: Partial<RowMeta> = {},
): T {
  return { ...values, [META]: { model: 't.thing', id: 3, mayWrite: false, fields, ...meta } };
}
