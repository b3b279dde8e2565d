import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerResolve, repository } from '@pergola/core';
import { checkArguments } from '../check-arguments.ts';
import { checkValues } from '../check-values.ts';
import { Compiler } from '../compiler.ts';
import { loadAddons } from '../loaded-addons.ts';
import { writeTemplateTypes } from '../needs.ts';
import { TemplateSources } from '../sources.ts';
import { typeFaults } from '../type-faults.ts';

const files = {
  'addon.ts': `import { defineAddon } from 'pergola';
import { Book } from './books.ts';
import { loanMail } from './mails.ts';
import { newest, pages } from './pages.ts';
export default defineAddon({ name: 'faulty', title: 'F', summary: 'F', version: '1.0.0', models: [Book], blocks: [newest], routes: pages, mails: [loanMail] });
`,
  'books.ts': `import { type Ctx, f, type Ids, model } from 'pergola';
export class Book extends model('faulty.book', {
  name: f.char({ required: true }),
  state: f.selection(['free', 'reserved']),
  author_ids: f.many2many('faulty.book', { empty: 'none' }),
}) {
  async reserve(ids: Ids): Promise<void> {
    await this.write(ids, { state: 'reserved' });
  }
}
declare module 'pergola' {
  interface Models { 'faulty.book': Book }
}
export const shelf = async (ctx: Ctx, values: Readonly<Record<string, string>>) => ({
  title: 'Books',
  books: await ctx.model(Book).find([['state', '=', 'reserved']], { select: { name: true, author_ids: { name: true } } }),
  search: { text: '', ...values },
  news: null as { readonly date: string } | { readonly text: string } | null,
});
`,
  'pages.ts': `import { block, route, z } from 'pergola';
import { shelf } from './books.ts';
export const pages = [
  route.page('/books', { name: 'faulty.books' }, async ({ ctx, render }) => render('faulty.books', await shelf(ctx, {}))),
  route.page('/none', { name: 'faulty.none' }, ({ render }) =>
    render('faulty.books', { title: 'None', books: [], search: {}, message: 'None' })),
  route.page('/loan', { name: 'faulty.loan', query: z.object({ day: z.string(), desk: z.string() }) }, ({ query, render }) =>
    render('faulty.loan', { loan: { title: query.day, days: 3, shelf: query.desk } })),
];
export const newest = block('faulty.newest', {
  label: 'Newest',
  options: z.object({ count: z.number().default(3), tag: z.string().default('') }),
  template: 'faulty.loan',
  load: async (_ctx, { count, tag }) => ({ loan: { title: tag, days: count, shelf: '' } }),
});
`,
  'mails.ts': `import { mail } from 'pergola';
export const loanMail = mail<{ readonly title: string; readonly day: string | null }>('faulty.loan', {
  subject: 'Bring back {title} by {day}',
  template: 'faulty.loan_mail',
});
`,
  'templates/faulty.loan_mail.hbs': '<p>{{title}}</p>\n',
  'islands/loan.props.ts': `import { z } from 'zod';
export default z.object({ title: z.string(), days: z.number(), shelf: z.string().nullable() });
`,
  'templates/faulty.loan.hbs': `{{island "faulty.Loan" loan}}
{{island "faulty.Loan" (object title=loan.title days=loan.days shelf=loan.shelf)}}
`,
  'templates/faulty.books.hbs': `<h1>{{title}}</h1>
{{#if message}}<p>{{message}}</p>{{/if}}
{{#if news}}{{#if news.date}}{{news.date}}{{/if}} {{news.text}}{{/if}}
{{search.where}}
{{#each books as |book|}}
  {{> faulty.book book=book first=@first}} {{../title}} {{join author_ids ", " key="name"}}
{{/each}}
`,
  'templates/faulty.book.hbs': `{{#if first}}<hr>{{/if}}
{{#with book}}<b>{{field this "name"}}</b>{{#each author_ids}}{{name}}{{/each}}{{/with}}
`,
} as const;

/** Mistakes of an author, and the expected messages. */
const mistakes = [
  [
    'an unknown template',
    'pages.ts',
    "'faulty.books', await",
    "'faulty.boks', await",
    /pages\.ts:4: There is no template "faulty\.boks"\. Did you mean “faulty\.books”/,
  ],
  [
    'a value that is misspelt',
    'pages.ts',
    "title: 'None'",
    "titel: 'None'",
    /pages\.ts:6: faulty\.books doesn't use “titel”\. Did you mean “title”\?/,
  ],
  [
    'a value that is missing',
    'pages.ts',
    "title: 'None', ",
    '',
    /pages\.ts:6: faulty\.books uses “title”, which isn't passed here/,
  ],
  [
    'a value that no page gives',
    'templates/faulty.books.hbs',
    '<h1>{{title}}',
    '<h1>{{titel}}',
    /faulty\.books\.hbs:1: \{\{titel\}\}: no code that shows faulty\.books provides “titel”\. Did you mean “title”/,
  ],
  [
    'a value of a selection',
    'books.ts',
    "'=', 'reserved'",
    "'=', 'reservd'",
    /books\.ts:16: “state” is never “reservd”\. Did you mean “reserved”/,
  ],
  [
    'a field in a domain',
    'books.ts',
    "['state', '=', 'reserved']",
    "['stat', '=', 'reserved']",
    /books\.ts:16: “faulty\.book” has no field “stat”\. Did you mean “state”/,
  ],
  [
    'a field behind a relation in a domain',
    'books.ts',
    "['state', '=', 'reserved']",
    "['author_ids.nme', '=', 'x']",
    /books\.ts:16: “author_ids” leads to “faulty\.book”, which has no field “nme”\. Did you mean “name”/,
  ],
  [
    'a field in a select',
    'books.ts',
    'author_ids: { name: true }',
    'author_ids: { nme: true }',
    /books\.ts:16: “faulty\.book” has no field “nme”\. Did you mean “name”/,
  ],
  [
    'a field in an order',
    'books.ts',
    'select: { name: true,',
    "order: 'nmae desc', select: { name: true,",
    /books\.ts:16: “faulty\.book” has no field “nmae”\. Did you mean “name”/,
  ],
  [
    'a field that a method of the model writes',
    'books.ts',
    "{ state: 'reserved' }",
    "{ stat: 'reserved' }",
    /books\.ts:8: “faulty\.book” has no field “stat”\. Did you mean “state”/,
  ],
  [
    'a field in the domain of a model by name',
    'books.ts',
    "title: 'Books',",
    "title: 'Books',\n  count: await ctx.modelNamed('faulty.book').count([['nmae', '!=', false]]),",
    /books\.ts:16: “faulty\.book” has no field “nmae”\. Did you mean “name”/,
  ],
  [
    'a model by name',
    'books.ts',
    "title: 'Books',",
    "title: 'Books',\n  count: await ctx.modelNamed('faulty.bok').count([]),",
    /books\.ts:16: There is no model “faulty\.bok”\. Did you mean “faulty\.book”/,
  ],
  [
    'a name in a helper',
    'templates/faulty.books.hbs',
    '{{join author_ids',
    '{{join autor_ids',
    /faulty\.books\.hbs:6: \{\{join autor_ids ", " key="name"\}\}: .* “autor_ids”\. Did you mean “author_ids”/,
  ],
  [
    'a name deeper in a value',
    'templates/faulty.books.hbs',
    '{{news.text}}',
    '{{news.txt}}',
    /faulty\.books\.hbs:3: \{\{news\.txt\}\}: .*“txt”.*“text”/,
  ],
  [
    'a name in a partial',
    'templates/faulty.book.hbs',
    '{{name}}',
    '{{nmae}}',
    /faulty\.book\.hbs:2: \{\{nmae\}\}: .*Did you mean “name”/,
  ],
  [
    'a field that is printed',
    'templates/faulty.book.hbs',
    'this "name"',
    'this "nam"',
    /faulty\.book\.hbs:2: \{\{field this "nam"\}\}: .*Did you mean “name”/,
  ],
  [
    'an argument of a partial',
    'templates/faulty.books.hbs',
    ' first=',
    ' frist=',
    /faulty\.books\.hbs:6: \{\{> faulty\.book\}\} doesn’t use “frist”\. Did you mean “first”/,
  ],
  [
    'props without a required name',
    'pages.ts',
    'days: 3, shelf: query.desk',
    'day: 3, shelf: query.desk',
    /faulty\.loan\.hbs:1: Island “faulty\.Loan” needs “days”, which is missing/,
  ],
  [
    'a required name that the island got since',
    'islands/loan.props.ts',
    'days: z.number(),',
    'days: z.number(), member: z.string(),',
    /faulty\.loan\.hbs:2: Island “faulty\.Loan” needs “member”, which is missing/,
  ],
  [
    'props of another kind',
    'islands/loan.props.ts',
    'shelf: z.string().nullable()',
    'shelf: z.number().nullable()',
    /faulty\.loan\.hbs:[12]: Island “faulty\.Loan” expects “shelf” to be number or null, but gets string/,
  ],
  [
    'an option that nothing reads',
    'pages.ts',
    '{ count, tag }) => ({ loan: { title: tag,',
    "{ count }) => ({ loan: { title: '',",
    /pages\.ts:12: The block never reads its option “tag”/,
  ],
  [
    'a query value that nothing reads',
    'pages.ts',
    'shelf: query.desk',
    "shelf: ''",
    /pages\.ts:7: The route never reads “desk” from its query/,
  ],
  [
    'a model that no list names',
    'addon.ts',
    'models: [Book]',
    'models: []',
    /books\.ts:2: “Book” isn’t listed\. Add it to `models`/,
  ],
  [
    'a value that nothing awaits',
    'pages.ts',
    "title: 'None'",
    "title: Promise.resolve('None')",
    /pages\.ts:6: The value “title” is a promise\. Put await before it/,
  ],
  [
    'a name in the subject of a mail',
    'mails.ts',
    'Bring back {title}',
    'Bring back {titel}',
    /mails\.ts:3: Readers see “\{titel\}” unchanged in the subject.* Did you mean “title”/,
  ],
  [
    'a write in a page',
    'pages.ts',
    "render('faulty.books', await shelf(ctx, {}))),",
    "{\n    await ctx.modelNamed('faulty.book').create({ name: 'x' });\n    return render('faulty.books', await shelf(ctx, {}));\n  }),",
    /pages\.ts:5: Pages, blocks and fragments are read-only, so create\(…\) is refused/,
  ],
  [
    'a write of a page behind a function and a method',
    'books.ts',
    "title: 'Books',",
    "title: 'Books',\n  done: await ctx.model(Book).reserve([1]),",
    /pages\.ts:4: Pages, blocks and fragments are read-only, so shelf\(…\) is refused: it calls write\(…\) at \S*books\.ts:8\./,
  ],
] as const;

const root = mkdtempSync(path.join(tmpdir(), 'values-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Problems of each variant by name; the addon is called “faulty” in them. */
const problems = new Map<string, string[]>();

const variants = new Map<string, Readonly<Record<string, string>>>([
  ['right', files],
  ...mistakes.map(([mistake, file, right, wrong]): [string, Readonly<Record<string, string>>] => [
    mistake,
    { ...files, [file]: files[file].replace(right, wrong) },
  ]),
]);

/** Addon name of a variant. The names differ from each other by more than a typo would. */
const addonName = (index: number): string => `faulty_${String(index).repeat(4)}`;

// One program for all variants: compiling the core alone takes seconds.
beforeAll(async () => {
  const tsconfig = {
    extends: path.join(repository, 'tsconfig.json'),
    compilerOptions: {
      paths: { pergola: [path.join(repository, 'packages/pergola/index.ts')] },
      typeRoots: [path.join(repository, 'node_modules/@types')],
    },
    include: ['.', '.build/templates.d.ts'],
  };
  writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }');
  // Props files are executed and import zod.
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  for (const [index, variant] of [...variants.values()].entries())
    for (const [file, content] of Object.entries(variant)) {
      const target = path.join(root, addonName(index), file.replace('faulty', addonName(index)));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, content.replaceAll('faulty', addonName(index)));
    }
  const sources = await TemplateSources.read([root]);
  const config = path.join(root, 'tsconfig.json');
  writeTemplateTypes(sources, [config]);
  const undo = registerResolve([...sources.folders.values()]);
  const loaded = await loadAddons(sources.roots).finally(undo);
  using compiler = new Compiler([config]);
  const templateFaults = [
    ...checkArguments(sources),
    ...(await checkValues(sources, compiler.projects, loaded.models)),
  ];
  const types = typeFaults(compiler.project(config), root, templateFaults);
  const lines = [...templateFaults, ...types].map(
    ({ file, line, message }) => `${path.resolve(repository, file)}:${line}: ${message}`,
  );
  for (const [index, name] of [...variants.keys()].entries()) {
    const ownLines = lines.filter((line) => line.includes(`/${addonName(index)}/`));
    problems.set(
      name,
      ownLines.map((line) => line.replaceAll(addonName(index), 'faulty')),
    );
  }
});

test('A template that asks for what nothing gives is wrong, and not the code', () => {
  const lines = problems.get('a value that no page gives') ?? [];
  expect(lines.filter((line) => line.includes('pages.ts'))).toEqual([]);
});

test('What is right is not complained of', () => {
  expect(problems.get('right')).toEqual([]);
});

test.each(mistakes)('%s is told with its place and the nearest name', (mistake, file, right, _wrong, says) => {
  expect(files[file]).toContain(right);
  expect(problems.get(mistake)).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
});
