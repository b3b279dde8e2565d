import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Addon } from '@pergola/core';
import {
  addonRoots,
  allPoints,
  createLog,
  declaredAt,
  describeProblem,
  discover,
  registerResolve,
  repository,
  variablesOf,
} from '@pergola/core';
import type { ColumnKind } from '@pergola/db';
import { postgresTypes, sqliteTypes } from '@pergola/db';
import type { AnyField } from '@pergola/orm';
import { columnKinds, declarationOf, humanize } from '@pergola/orm';
import { builtinRules, coreHelpers, type HelperRule } from '@pergola/pages';
import { addonCommands, commands } from '../cli/main.ts';
import { parts } from '../parts.ts';
import { type Declared, declaredIn, membersOf } from './declared.ts';

/** Pages generated from the program's own definitions: Markdown by name. `docs/reference.md` has a section that links to each. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const addons = await shippedAddons();
  return new Map([
    ['field-types', fieldTypes()],
    ['template-helpers', templateHelpers(addons)],
    ['templates-to-build-with', templates(addons)],
    ['view-types', viewTypes()],
    ['commands', await commandLines()],
    ['configuration', configuration()],
    ['models', models(addons)],
  ]);
}

/** @throws Error if an addon can't be loaded, because the pages would silently lack it */
async function shippedAddons(): Promise<readonly Addon[]> {
  const undo = registerResolve(addonRoots());
  try {
    const discovery = await discover(addonRoots(), createLog('silent'), allPoints(parts));
    await discovery.loadAll();
    const { loaded, problems } = discovery;
    if (problems.length > 0) throw new Error(problems.map(describeProblem).join('\n'));
    return loaded;
  } finally {
    undo();
  }
}

const file = (name: string): string => path.join(repository, name);

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim()).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (text: string): string => (text === '' ? '' : `\`${text.includes('`') ? ` ${text} ` : text}\``);

function optionRows(options: readonly Declared[]): string[][] {
  return options.map(({ name, type, optional, doc }) => [
    `${code(name)}${optional ? '' : ', required'}`,
    code(type),
    doc,
  ]);
}

function fieldTypes(): string {
  const declared = declaredIn(file('packages/orm/fields.ts'));
  const common = 'FieldOptions';
  const ownOptions = (type: string): readonly Declared[] => {
    const name = /\w*Options/.exec(type)?.[0] ?? '';
    return name === common ? [] : (declared.get(name)?.members ?? []);
  };
  const types = declared.get('f')?.members ?? [];
  return [
    '# Field types',
    'Fields are the second argument of `model`. Every type takes its own options and the options of every field, listed at the end.',
    ...types.flatMap(({ name, doc, type }) => {
      const options = optionRows(ownOptions(type));
      return [`## f.${name}`, doc, ...(options.length > 0 ? [table(['option', 'type', ''], options)] : [])];
    }),
    '## Options of every field',
    table(['option', 'type', ''], optionRows(membersOf(common, declared))),
    '## Columns',
    'Column types on both databases, for `ctx.db` and migrations. A column is named like its field, a table like its model with `_` for each dot. Computed fields without `store` and related fields have no column.',
    table(
      ['field', 'SQLite', 'PostgreSQL', 'value in the column'],
      [
        ...Object.entries(columnKinds).map(([type, kind]) => columnRow(type, kind, columnValues[type] ?? '')),
        columnRow('with translate', 'json', 'texts by language, `{ "en_US": "…", "fr_FR": "…" }`'),
        columnRow('id', 'id', 'numbered by the database, never used twice'),
        columnRow(
          'name__fold',
          'text',
          'next to an `f.char` with `index` or `unique`, or used by `order`, `search` or the display name: its text in lower case without accents',
        ),
        columnRow(
          'words__text',
          'text',
          'in models with `search`: their searched words; with translated fields one column for each language, `words__en_us`',
        ),
        ['one2many', '–', '–', 'no column: the many2one of the other model has it'],
        ['many2many', '–', '–', 'no column: a link table with the two ids, named by `relation`'],
      ],
    ),
  ].join('\n\n');
}

/** Storage formats that the column type doesn't show. */
const columnValues: Readonly<Record<string, string>> = {
  html: 'sanitized markup',
  decimal: 'whole millionths: 12.5 is 12500000',
  money: 'whole minor units (cents)',
  boolean: 'SQLite: 0 or 1',
  date: '`2026-11-21`',
  datetime: 'SQLite: milliseconds since 1970; PostgreSQL: exact to the millisecond',
  selection: 'the value, not its label',
  binary: 'hash, name, type and size of the file; the bytes are in the filestore',
  image: 'as binary, with width and height',
  many2one: 'the id, with a foreign key',
};

function columnRow(type: string, kind: ColumnKind, value: string): string[] {
  return [code(type), code(sqliteTypes[kind]), code(postgresTypes[kind]), value];
}

function templateHelpers(addons: readonly Addon[]): string {
  const folder = file('packages/pages/helpers');
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const declared = new Map(files.flatMap((name) => [...declaredIn(path.join(folder, name))]));
  const builtin = new Map(declared.get('builtinRules')?.members.map((member) => [member.name, member]));
  const row = ([name, rule]: [string, HelperRule], { doc = '' }: Partial<Declared> = {}): string[] => [
    code(name),
    doc,
    optionsOf(rule),
    placeOf(rule),
  ];
  const ofAddons = addons.flatMap((addon) =>
    (addon.definition.helpers ?? []).map((helper) => {
      const { file: source } = declaredAt(helper, addon, []);
      const declarations = source === undefined ? undefined : declaredIn(path.join(addon.folder, source));
      return row([helper.id, helper], declarations?.get(helper.id.replace(/^.*\./, '')));
    }),
  );
  return [
    '# Template helpers',
    'Helpers for templates. Unknown helpers, missing or extra values and unknown options are build errors.',
    table(
      ['helper', '', 'options', 'where'],
      [...[...coreHelpers].map((entry) => row(entry, declared.get(entry[0]))), ...ofAddons],
    ),
    '## Of Handlebars',
    table(
      ['helper', '', 'options', 'where'],
      Object.entries(builtinRules).map((entry) => row(entry, builtin.get(entry[0]))),
    ),
  ].join('\n\n');
}

function optionsOf({ options }: HelperRule): string {
  return options === 'any' ? 'any' : (options ?? []).map(code).join(', ');
}

function placeOf({ block, markup, plain, url }: HelperRule): string {
  const shape = block === 'always' ? 'block' : block ? 'block or value' : 'value';
  const place = markup ? `between tags${plain ? `, in attributes with ${code(`${plain}=true`)}` : ''}` : '';
  return [shape, place, url ? 'may begin an `href`' : ''].filter(Boolean).join('; ');
}

/** Templates declare their values in their first comment. */
function templates(addons: readonly Addon[]): string {
  const rows = addons.flatMap(({ folder, files }) =>
    (files.templates ?? []).flatMap((name) => {
      const [, description] =
        /^\{\{!--\s*([\s\S]*?)\s*--\}\}/.exec(readFileSync(path.join(folder, 'templates', name), 'utf8')) ?? [];
      return description && !name.endsWith('.patch.hbs') ? [[code(name.replace(/\.hbs$/, '')), description]] : [];
    }),
  );
  return [
    '# Templates to build with',
    'Layouts and partials with their parameters: `{{#> web.frontend_layout title="Hello"}}…{{/web.frontend_layout}}`, `{{> web.field id="city" label=(t "City")}}`.',
    table(['template', ''], rows),
  ].join('\n\n');
}

function viewTypes(): string {
  const declared = declaredIn(file('addons/web/points/views.ts'));
  const parts = new Set<string>();
  const specs = (declared.get('view')?.members ?? []).flatMap(({ name, doc, type }) => {
    const spec = /^\w+/.exec(type)?.[0] ?? '';
    const members = membersOf(spec, declared);
    for (const member of members) for (const [part] of member.type.matchAll(/[A-Z]\w+/g)) parts.add(part);
    return [`## view.${name}`, doc, table(['member', 'type', ''], optionRows(members))];
  });
  const more = [...parts].filter((part) => declared.has(part) && part !== 'Name');
  return [
    '# View types',
    'How the backend shows the records of a model: `views` of an addon. Unknown field names are compiler and build errors.',
    ...specs,
    ...more.flatMap((part) => [
      `## ${part}`,
      declared.get(part)?.doc ?? '',
      table(['member', 'type', ''], optionRows(membersOf(part, declared))),
    ]),
  ].join('\n\n');
}

async function commandLines(): Promise<string> {
  const builtIn = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => ({ name, ...(await load()).command })),
  );
  const rows = [...builtIn, ...(await addonCommands())].map(({ name, usage, summary }) => [
    code(`${name} ${usage}`.trim()),
    summary,
  ]);
  return [
    '# Commands',
    '`npx pergola <command>`, or faster `node bin/pergola.js <command>`. Commands use the configured database, whether the server is running or not.',
    table(['command', ''], rows),
  ].join('\n\n');
}

function configuration(): string {
  const rows = Object.entries(variablesOf(parts)).map(([name, schema]) => {
    const defaultValue = schema.safeParse(undefined).data;
    const text = Array.isArray(defaultValue) || defaultValue === undefined ? '' : String(defaultValue);
    return [code(name), code(text), schema.description ?? ''];
  });
  return [
    '# Configuration',
    'Environment variables, or lines of `.env`. `npx pergola config` prints the current values.',
    table(['variable', 'default', ''], rows),
  ].join('\n\n');
}

function models(addons: readonly Addon[]): string {
  const sections = addons.flatMap(({ name, definition }) =>
    (definition.models ?? []).map((ref) => {
      const { kind, name: model, fields, options } = declarationOf(ref);
      const title = kind === 'extension' ? `${model}, in addon ${name} too` : model;
      const intro = options.label ? `${options.label}, of addon ${name}.` : `Of addon ${name}.`;
      return [`## ${title}`, intro, table(['field', 'type', ''], Object.entries(fields).map(fieldRow))].join('\n\n');
    }),
  );
  return [
    '# Models',
    'The models of the shipped addons with the fields each addon adds, without the fields of mixins (`Seo`, `Published`, …). On a site, `npx pergola models` lists the enabled models.',
    ...sections.sort(),
  ].join('\n\n');
}

function fieldRow([name, { type, to, options, values }]: [string, AnyField]): string[] {
  const label = options.label ?? humanize(name);
  const notes = [
    options.required === true ? 'required' : '',
    options.compute ? (options.store ? 'computed, stored' : 'computed') : '',
    options.related ? `of ${code(options.related)}` : '',
    values ? Object.keys(values).map(code).join(', ') : '',
    options.help ?? '',
  ];
  return [code(name), to ? `${type} to ${code(to)}` : type, [label, ...notes].filter(Boolean).join('; ')];
}
