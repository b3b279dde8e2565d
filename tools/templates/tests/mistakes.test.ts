import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { API, type Diagnostic } from 'typescript/unstable/sync';
import { repository } from '../../../core/base/addon-folders.ts';
import { checkArguments } from '../check-arguments.ts';
import { checkValues } from '../check-values.ts';
import { writeTemplateTypes } from '../needs.ts';
import { TemplateSources } from '../sources.ts';

jest.setTimeout(180_000);

const files = {
  'addon.ts': `import { defineAddon } from '#core';
import { Book } from './books.ts';
import { newest, pages } from './pages.ts';
export default defineAddon({ name: 'faulty', title: 'F', summary: 'F', version: '1.0.0', models: [Book], blocks: [newest], routes: pages });
`,
  'books.ts': `import { type Ctx, f, model } from '#core';
export class Book extends model('faulty.book', {
  name: f.char({ required: true }),
  state: f.selection(['free', 'reserved']),
  author_ids: f.many2many('faulty.book', { empty: 'none' }),
}) {}
declare module '#core' {
  interface Models { 'faulty.book': Book }
}
export const shelf = async (ctx: Ctx, values: Readonly<Record<string, string>>) => ({
  title: 'Books',
  books: await ctx.model(Book).find([['state', '=', 'reserved']], { select: { name: true, author_ids: { name: true } } }),
  search: { text: '', ...values },
  news: null as { readonly date: string } | { readonly text: string } | null,
});
`,
  'pages.ts': `import { block, route, z } from '#core';
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

/** What somebody writes, and what is said of it. */
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
    /pages\.ts:6: .*'titel' does not exist.*'title'/s,
  ],
  ['a value that is missing', 'pages.ts', "title: 'None', ", '', /pages\.ts:6: .*Property 'title' is missing/],
  [
    'a value of a selection',
    'books.ts',
    "'=', 'reserved'",
    "'=', 'reservd'",
    /books\.ts:12: .*Did you mean '"reserved"'/s,
  ],
  [
    'a name in a helper',
    'templates/faulty.books.hbs',
    '{{join author_ids',
    '{{join autor_ids',
    /faulty\.books\.hbs:6: \{\{autor_ids\}\}: .* “autor_ids”\. Did you mean “author_ids”/,
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
    /faulty\.book\.hbs:2: \{\{nam\}\}: .*Did you mean “name”/,
  ],
  [
    'an argument of a partial',
    'templates/faulty.books.hbs',
    ' first=',
    ' frist=',
    /faulty\.books\.hbs:6: \{\{> faulty\.book\}\} asks for no “frist”\. Did you mean “first”/,
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
    /faulty\.loan\.hbs:[12]: Island “faulty\.Loan” takes “shelf” as number or null, and is given string/,
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
    /pages\.ts:7: The route never reads “desk” of its query/,
  ],
  [
    'a model that no list names',
    'addon.ts',
    'models: [Book]',
    'models: []',
    /books\.ts:2: “Book” is in no list\. Add it to `models`/,
  ],
  [
    'a write in a page',
    'pages.ts',
    "render('faulty.books', await shelf(ctx, {}))),",
    "{\n    await ctx.model(Book).create({ name: 'x' });\n    return render('faulty.books', await shelf(ctx, {}));\n  }),",
    /pages\.ts:5: Pages, blocks and fragments only read, so create\(…\) is refused/,
  ],
] as const;

const root = mkdtempSync(path.join(tmpdir(), 'values-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What the check and the compiler say of an addon with these files. */
async function problemsOf(name: string, changed: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = path.join(root, name, 'faulty');
  const tsconfig = {
    extends: path.join(repository, 'tsconfig.json'),
    compilerOptions: {
      paths: { '#core': [path.join(repository, 'core/index.ts')] },
      typeRoots: [path.join(repository, 'node_modules/@types')],
    },
    include: ['.', '.build/templates.d.ts'],
  };
  const project = { 'tsconfig.json': JSON.stringify(tsconfig), 'package.json': '{ "type": "module" }' };
  for (const [file, content] of Object.entries({ ...files, ...changed, ...project })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  linkPackages(folder);
  const sources = await TemplateSources.read([path.dirname(folder)]);
  const config = path.join(folder, 'tsconfig.json');
  writeTemplateTypes(sources, [config]);
  const found = [...checkArguments(sources), ...(await checkValues(sources, [config]))];
  return [...found.map(({ file, line, message }) => `${file}:${line}: ${message}`), ...compiled(config, folder)];
}

/** Props files are run, and need zod. */
function linkPackages(folder: string): void {
  const link = path.join(folder, 'node_modules');
  if (!existsSync(link)) symlinkSync(path.join(repository, 'node_modules'), link);
}

function compiled(config: string, folder: string): string[] {
  const api = new API({ cwd: repository });
  using snapshot = api.updateSnapshot({ openProjects: [config] });
  const { program } = snapshot.getProjects()[0] ?? {};
  const own = program?.getSourceFileNames().filter((file) => file.startsWith(folder)) ?? [];
  const found = own.flatMap((file) => {
    const source = program?.getSourceFile(file);
    return (program?.getSemanticDiagnostics(file) ?? []).map((one) => {
      const line = source?.getLineAndCharacterOfPosition(one.pos).line ?? 0;
      return `${file}:${line + 1}: ${said(one)}`;
    });
  });
  api.close();
  return found;
}

function said({ text, messageChain = [] }: Diagnostic): string {
  return [text, ...messageChain.map(said)].join('\n');
}

test('What is right is not complained of', async () => {
  expect(await problemsOf('right', {})).toEqual([]);
});

test.each(mistakes)('%s is told with its place and the nearest name', async (what, file, right, wrong, says) => {
  expect(files[file]).toContain(right);
  const problems = await problemsOf(what.replaceAll(' ', '-'), { [file]: files[file].replace(right, wrong) });
  expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
});
