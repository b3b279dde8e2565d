import type { EditedSource } from './edit-source.ts';
import type { Names } from './names.ts';

/** Files and registrations of a new part. */
export interface Part {
  /** Content of new files, by path in the addon's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Entries for `addon.ts`, by list name. */
  readonly lists?: readonly ListEntry[];
  /** Access lists of models, declared in `security.ts`. */
  readonly access?: { readonly model: string; readonly from: string };
  /** New version of the addon. */
  readonly version?: string;
  /** Names that code and templates must no longer use. */
  readonly former?: readonly FormerName[];
  /** Remaining steps, one line each. */
  readonly next: readonly string[];
}

/** The old name of a field or model. */
export interface FormerName {
  readonly name: string;
  /** Model of a field; null for a model. */
  readonly model: string | null;
  /** Instruction for each place that uses it: `Rename “note” to “text”`. */
  readonly todo: string;
}

interface ListEntry {
  readonly list: string;
  readonly element: string;
  /** Name to import for the element, and the file that exports it. */
  readonly name: string;
  readonly from: string;
}

/** The addon to extend. */
export interface AddonSource {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Paths of its files. */
  readonly files: readonly string[];
  /** Whether it declares a menu with this id. */
  hasMenu(id: string): boolean;
  /** Reads a file of code. */
  read(file: string): EditedSource;
}

/** Command line options that some kinds accept. */
export interface MakeOptions {
  readonly version?: string;
  /** `repair.purpose=subject`: model without the addon's name, old and new field. */
  readonly rename?: readonly string[];
  /** `repair.purpose` */
  readonly drop?: readonly string[];
  /** `repair.purpose` */
  readonly keep?: readonly string[];
  /** `repair=job`: old and new model without the addon's name. */
  readonly 'rename-model'?: readonly string[];
  /** `repair` */
  readonly 'drop-model'?: readonly string[];
  /** `repair` */
  readonly 'keep-model'?: readonly string[];
}

/** Describes the new part for a kind. */
export type Kind = (names: Names, addon: AddonSource, options: MakeOptions) => Part;

/** The part can't be created; the message explains the alternative. */
export class Unmakeable extends Error {}

/** Kinds of parts, in the order of the help. */
export const kinds: Readonly<Record<string, Kind>> = {
  model,
  view,
  route,
  island,
  block,
  job,
  mail,
  migration,
  test,
};

function model({ addon, id, file, type, label }: Names): Part {
  const from = `./models/${file}.ts`;
  return {
    files: {
      [`models/${file}.ts`]: `import { f, model } from 'pergola';

/** ${label} of the addon. */
export class ${type} extends model(
  '${addon}.${id}',
  {
    name: f.char({ required: true, size: 80, label: 'Name' }),
    notes: f.text({ label: 'Notes' }),
  },
  { order: 'name, id', label: '${label}' },
) {}

declare module 'pergola' {
  interface Models {
    '${addon}.${id}': ${type};
  }
}
`,
      [`tests/${file}.test.ts`]: `import { createTestApp, eachDatabase } from 'pergola/testing';
import { ${type} } from '../models/${file}.ts';

eachDatabase('${addon}.${id}', (database) => {
  it('can be created and read by staff only', async () => {
    await using app = await createTestApp({ addons: ['${addon}'], database });
    const call = (method: string, args: unknown[]) => ({ model: '${addon}.${id}', method, args, kwargs: {} });
    const admin = await app.as('admin');
    const id = await admin.rpc<number>('/web/dataset/call_kw', call('create', [{ name: 'First' }]));
    const row = await app.read((ctx) => ctx.model(${type}).get(id, { select: { name: true } }));
    expect(row.name).toBe('First');
    await expect(app.visitor().rpc('/web/dataset/call_kw', call('read', [[id], ['name']]))).rejects.toThrow();
  });
});
`,
    },
    lists: [{ list: 'models', element: type, name: type, from }],
    access: { model: type, from },
    next: [
      `Fields: models/${file}.ts. Access rights: security.ts. On a running site, "npx pergola upgrade ${addon}" creates the table.`,
      `Backend screens: pergola make view ${file}`,
    ],
  };
}

/** Field types that lists can't show well. */
const unlisted = ['html', 'json', 'one2many', 'image', 'binary', 'text'];

function view({ addon, id, file, type, value, label }: Names, source: AddonSource): Part {
  const modelFile = `models/${file}.ts`;
  if (!source.files.includes(modelFile))
    throw new Unmakeable(`${modelFile} doesn't exist. Create the model first: pergola make model ${file}`);
  const fields = source.read(modelFile).modelFields();
  const hasName = fields.some(({ name }) => name === 'name');
  const title = hasName ? 'name' : 'display_name';
  const otherFields = fields.filter(({ name }) => name !== title);
  const columns = [title, ...otherFields.filter(({ kind }) => !unlisted.includes(kind)).map(({ name }) => name)];
  const items = otherFields.map(({ name }) => name);
  const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
  const root = `${addon}.menu`;
  const rootMenu = source.hasMenu(root) ? '' : `menu('${root}', { label: '${source.title}' }),\n`;
  const from = `./views/${file}.ts`;
  return {
    files: {
      [`views/${file}.ts`]: `import { menu, view } from '@pergola/web';
import { ${type} } from '../${modelFile}';

export const ${value}Views = [
  view.list(${type}, { columns: [${quoted(columns.slice(0, 6))}] }),
  view.form(${type}, {
    title: '${title}',
    sections: [{ items: [${quoted(items)}] }],
  }),
  view.search(${type}, { fields: [${quoted([title])}] }),
];

export const ${value}Menus = [
  ${rootMenu}menu('${root}_${id}', { label: '${label}', parent: '${root}', model: ${type} }),
];
`,
    },
    lists: [
      { list: 'views', element: `...${value}Views`, name: `${value}Views`, from },
      { list: 'menus', element: `...${value}Menus`, name: `${value}Menus`, from },
    ],
    next: [`The backend shows the menu entry "${label}" to users with read access to the model.`],
  };
}

/** Declares the addon's `t` and `plural`, unless it already has them. */
function ownTexts(addon: string, { files }: AddonSource): Part['files'] {
  if (files.includes('texts.ts')) return {};
  return { 'texts.ts': `import { texts } from 'pergola';\n\nexport const { t, plural } = texts('${addon}');\n` };
}

function route({ addon, id, file, value, label }: Names, source: AddonSource): Part {
  const page = `${value}Page`;
  return {
    files: {
      ...ownTexts(addon, source),
      [`routes/${file}.ts`]: `import { route } from 'pergola';
import { t } from '../texts.ts';

/** \`/${addon}/${file}\` */
export const ${page} = route.page(
  '/${addon}/${file}',
  { name: '${addon}.${id}', sitemap: true },
  ({ ctx, render }) => render('${addon}.${id}', { seo: { title: t(ctx, '${label}') } }),
);
`,
      [`templates/${addon}.${id}.hbs`]: `{{#> web.frontend_layout seo=seo}}
  <section class="container py-5" data-slot="${file}">
    <h1>${label}</h1>
  </section>
{{/web.frontend_layout}}
`,
      [`tests/${file}-page.test.ts`]: `import { createTestApp } from 'pergola/testing';

it('shows its page to visitors', async () => {
  await using app = await createTestApp({ addons: ['${addon}'] });
  const { status, text } = await app.get('/${addon}/${file}');
  expect(status).toBe(200);
  expect(text).toContain('<h1>${label}</h1>');
});
`,
    },
    lists: [{ list: 'routes', element: page, name: page, from: `./routes/${file}.ts` }],
    next: [`Open it: http://localhost:${process.env.PORT ?? 8069}/${addon}/${file}`],
  };
}

function island({ addon, file, type, label }: Names): Part {
  return {
    files: {
      [`islands/${file}.props.ts`]: `import { z } from 'zod';

export default z.object({ start: z.number().int() });
`,
      [`islands/${file}.tsx`]: `import { useState } from 'react';
import type { z } from 'zod';
import { t } from 'pergola/browser';
import type schema from './${file}.props.ts';

/** ${label}: a number, and a button that increases it. */
export default function ${type}({ start }: z.infer<typeof schema>) {
  const [count, setCount] = useState(start);
  return (
    <button type="button" className="btn btn-primary" onClick={() => setCount(count + 1)}>
      {t('${label}: {count}', { count })}
    </button>
  );
}
`,
      [`islands/tests/${file}.test.tsx`]: `import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import ${type} from '../${file}.tsx';

afterEach(cleanup);

it('counts', async () => {
  render(<${type} start={1} />);
  await userEvent.click(screen.getByRole('button', { name: '${label}: 1' }));
  screen.getByRole('button', { name: '${label}: 2' });
});
`,
    },
    next: [`Show it in a template: {{island "${addon}.${type}" (object start=1)}}`],
  };
}

function block({ addon, id, file, value, label }: Names): Part {
  const from = `./blocks/${file}.ts`;
  return {
    files: {
      [`blocks/${file}.ts`]: `import type { Snippet } from '@pergola/website';
import { block, z } from 'pergola';

/** ${label}: a block that editors can add to pages. */
export const ${value}Block = block('${addon}.${id}', {
  label: '${label}',
  options: z.object({ title: z.string().max(80).default('${label}').meta({ title: 'Title' }) }),
  template: '${addon}.${id}',
  load: async (_ctx, { title }) => ({ title }),
});

export const ${value}Snippets: readonly Snippet[] = [
  {
    id: '${addon}.${id}',
    label: '${label}',
    tab: 'dynamic',
    thumbnail: '/website/static/snippets/calendar.svg',
    block: '${addon}.${id}',
  },
];
`,
      [`templates/${addon}.${id}.hbs`]: `<div class="container" data-slot="${file}">
  <h2>{{title}}</h2>
</div>
`,
      [`tests/${file}-block.test.ts`]: `import { WebsitePage } from '@pergola/website';
import { createTestApp } from 'pergola/testing';

it('shows what an editor chose', async () => {
  await using app = await createTestApp({ addons: ['${addon}'] });
  const content = \`<div data-block="${addon}.${id}" data-options='{"title":"Chosen"}'></div>\`;
  await app.write((ctx) => ctx.model(WebsitePage).create({ name: 'Test', url: '/test', website_published: true, content }));
  expect((await app.get('/test')).text).toContain('<h2>Chosen</h2>');
});
`,
    },
    lists: [
      { list: 'blocks', element: `${value}Block`, name: `${value}Block`, from },
      { list: 'snippets', element: `...${value}Snippets`, name: `${value}Snippets`, from },
    ],
    next: ['Editors find it in the blocks panel under "dynamic".'],
  };
}

function job({ addon, id, file, value, label }: Names): Part {
  const name = `${value}Job`;
  return {
    files: {
      [`jobs/${file}.ts`]: `import { job, z } from 'pergola';

/** Runs every morning at six o'clock (UTC). It may run twice on the same day, so it must be idempotent. */
export const ${name} = job('${addon}.${id}', {
  input: z.object({}),
  label: '${label}',
  cron: '0 6 * * *',
  run: async ({ ctx }) => {
    ctx.log.info({ day: ctx.today(ctx.siteTimezone) }, '${label}');
  },
});
`,
      [`tests/${file}-job.test.ts`]: `import { createTestApp, eachDatabase } from 'pergola/testing';
import { ${name} } from '../jobs/${file}.ts';

eachDatabase('${addon}.${id}', (database) => {
  it('runs', async () => {
    await using app = await createTestApp({ addons: ['${addon}'], database });
    await app.write((ctx) => ctx.jobs.enqueue(${name}, {}));
    expect(await app.runJobs()).toBeGreaterThan(0);
  });
});
`,
    },
    lists: [{ list: 'jobs', element: name, name, from: `./jobs/${file}.ts` }],
    next: ['It runs on its schedule, and after ctx.jobs.enqueue. To change records, use "write" in addition to "ctx".'],
  };
}

function mail({ addon, id, file, value, label }: Names): Part {
  const name = `${value}Mail`;
  return {
    files: {
      [`mails/${file}.ts`]: `import { mail } from 'pergola';

interface Values {
  readonly name: string;
}

export const ${name} = mail<Values>('${addon}.${id}', {
  subject: '${label}, {name}',
  template: '${addon}.mail_${id}',
});
`,
      [`templates/${addon}.mail_${id}.hbs`]: `{{#> web.mail_layout title=(t "${label}")}}
  <p>{{greeting name}}</p>
{{/web.mail_layout}}
`,
      [`tests/${file}-mail.test.ts`]: `import { listOutbox } from '@pergola/web';
import { createTestApp } from 'pergola/testing';
import { ${name} } from '../mails/${file}.ts';

it('reaches the outbox with its subject', async () => {
  await using app = await createTestApp({ addons: ['${addon}'] });
  const to = { name: 'Ada', email: 'ada@example.org' };
  await app.write((ctx) => ctx.mail.send(${name}, { to, values: { name: 'Ada' } }));
  const { mails } = await app.read((ctx) => listOutbox(ctx));
  expect(mails.map(({ subject, email }) => \`\${subject} \${email}\`)).toEqual(['${label}, Ada ada@example.org']);
});
`,
    },
    lists: [{ list: 'mails', element: name, name, from: `./mails/${file}.ts` }],
    next: [`Send it: await ctx.mail.send(${name}, { to: { email, name }, values: { name } })`],
  };
}

function migration({ addon, file, label }: Names, source: AddonSource, options: MakeOptions): Part {
  const numbers = source.files.flatMap((path) => /^migrations\/(\d{4})-/.exec(path)?.[1] ?? []).map(Number);
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0');
  const version = options.version ?? nextMinor(source.version);
  const answers = Object.entries(answerKinds).flatMap(([option, write]) =>
    (options[option as AnswerOption] ?? []).map((answer) => write(addon, answer)),
  );
  const tools = answers.length > 0 ? [...new Set(answers.map(({ tool }) => tool))].join(', ') : 'note';
  const lines = answers.length > 0 ? answers.map(({ line }) => line) : [`note('${label} is done');`];
  const name = `${number}-${file}`;
  return {
    files: {
      [`migrations/${name}.ts`]: `import { migration } from 'pergola';

export default migration({
  version: '${version}',
  summary: '${label}',
  async up({ ${tools} }) {
    ${lines.join('\n    ')}
  },
});
`,
      [`tests/${name}.test.ts`]: `import { createTestApp, eachDatabase } from 'pergola/testing';
import migration from '../migrations/${name}.ts';

eachDatabase('${addon} ${version}', (database) => {
  it('migrates data of earlier versions', async () => {
    await using app = await createTestApp({ addons: ['${addon}'], database });
${answers.map(({ before }) => `    ${before}\n`).join('')}    await app.migrate(migration);
    expect(migration.version).toBe('${version}');
${answers.map(({ after }) => `    ${after}\n`).join('')}  });
});
`,
    },
    version,
    former: answers.map(({ former: formerName }) => formerName),
    next: [
      `It runs once, when the addon is upgraded to ${version}: npx pergola upgrade ${addon}`,
      ...(answers.length > 0
        ? []
        : [
            '"db" (next to "note") reads and writes rows; addColumn, renameColumn, dropColumn and keepColumn handle columns.',
          ]),
    ],
  };
}

/** Options for the data of a removed field or model. */
export type AnswerOption = Exclude<keyof MakeOptions, 'version'>;

const answerKinds: Readonly<Record<AnswerOption, (addon: string, answer: string) => Answer>> = {
  'rename-model': renameModel,
  'drop-model': dropModel,
  'keep-model': keepModel,
  rename: renameField,
  drop: dropField,
  keep: keepField,
};

/** Names of the options for the data of a removed field or model. */
export const answerOptions = Object.keys(answerKinds) as readonly AnswerOption[];

/** Migration line for a field, with the steps its test runs before and after it. */
interface Answer {
  readonly tool: string;
  readonly line: string;
  readonly before: string;
  readonly after: string;
  readonly former: FormerName;
}

function renameField(addon: string, answer: string): Answer {
  const [, model = '', from = '', to = ''] =
    /^([\w.]+)\.(\w+)=(\w+)$/.exec(answer) ?? rejectFormat(answer, 'repair.old=new');
  const table = tableOf(addon, model);
  return {
    tool: 'renameColumn',
    line: `await renameColumn('${table}', '${from}', '${to}');`,
    before: `await app.migrate({ up: ({ renameColumn }) => renameColumn('${table}', '${to}', '${from}') });`,
    after: `await app.read((ctx) => ctx.db('${table}').select('${to}'));`,
    former: { name: from, model: modelOf(addon, model), todo: `Rename “${from}” to “${to}”` },
  };
}

function dropField(addon: string, answer: string): Answer {
  const { model, table, field } = columnIn(addon, answer);
  return {
    tool: 'dropColumn',
    line: `await dropColumn('${table}', '${field}');`,
    before: `await app.migrate({ up: ({ addColumn }) => addColumn('${table}', '${field}', 'text') });`,
    after: `await expect(app.read((ctx) => ctx.db('${table}').select('${field}'))).rejects.toThrow();`,
    former: { name: field, model, todo: `Remove “${field}”` },
  };
}

function keepField(addon: string, answer: string): Answer {
  const { model, table, field } = columnIn(addon, answer);
  return {
    tool: 'keepColumn',
    line: `await keepColumn('${table}', '${field}');`,
    before: `await app.migrate({ up: ({ addColumn }) => addColumn('${table}', '${field}', 'text') });`,
    after: `await app.read((ctx) => ctx.db('${table}').select('${field}'));`,
    former: { name: field, model, todo: `Remove “${field}”` },
  };
}

function renameModel(addon: string, answer: string): Answer {
  const [, from = '', to = ''] = /^([\w.]+)=([\w.]+)$/.exec(answer) ?? rejectFormat(answer, 'repair=job');
  const [formerModel, current] = [modelOf(addon, from), modelOf(addon, to)];
  return {
    tool: 'renameModel',
    line: `await renameModel('${formerModel}', '${current}');`,
    before: `await app.migrate({ up: ({ renameModel }) => renameModel('${current}', '${formerModel}') });`,
    after: `await app.read((ctx) => ctx.db('${tableOf(addon, to)}').select('id'));`,
    former: { name: formerModel, model: null, todo: `Rename “${formerModel}” to “${current}”` },
  };
}

function dropModel(addon: string, answer: string): Answer {
  const table = tableOf(addon, answer);
  return {
    tool: 'dropTable',
    line: `await dropTable('${table}');`,
    before: oldTableCode(addon, table),
    after: `await expect(app.read((ctx) => ctx.db('${table}').select('id'))).rejects.toThrow();`,
    former: { name: modelOf(addon, answer), model: null, todo: `Remove “${modelOf(addon, answer)}”` },
  };
}

function keepModel(addon: string, answer: string): Answer {
  const table = tableOf(addon, answer);
  return {
    tool: 'keepTable',
    line: `await keepTable('${table}');`,
    before: oldTableCode(addon, table),
    after: `await app.read((ctx) => ctx.db('${table}').select('id'));`,
    former: { name: modelOf(addon, answer), model: null, todo: `Remove “${modelOf(addon, answer)}”` },
  };
}

/** Code that creates a table as an earlier version left it. */
function oldTableCode(addon: string, table: string): string {
  const entry = `{ addon: '${addon}', kind: 'table', table_name: '${table}', name: '' }`;
  return `await app.migrate({ up: async ({ db }) => { await db.raw('create table ${table} (id integer)'); await db('core_ownership').insert(${entry}); } });`;
}

function columnIn(
  addon: string,
  answer: string,
): { readonly model: string; readonly table: string; readonly field: string } {
  const [, model = '', field = ''] = /^([\w.]+)\.(\w+)$/.exec(answer) ?? rejectFormat(answer, 'repair.field');
  return { model: modelOf(addon, model), table: tableOf(addon, model), field };
}

function rejectFormat(answer: string, example: string): never {
  throw new Unmakeable(`"${answer}" is not a valid ${example.includes('.') ? 'field' : 'model'}. Example: ${example}`);
}

/** Table name of a model; a one-word model gets the addon's name as prefix. */
function tableOf(addon: string, model: string): string {
  return modelOf(addon, model).replaceAll('.', '_');
}

function modelOf(addon: string, model: string): string {
  return model.includes('.') ? model : `${addon}.${model}`;
}

function nextMinor(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}

function test({ addon, file, label }: Names): Part {
  return {
    files: {
      [`tests/${file}.test.ts`]: `import { createTestApp, eachDatabase } from 'pergola/testing';

eachDatabase('${label}', (database) => {
  it('is served with its addon', async () => {
    await using app = await createTestApp({ addons: ['${addon}'], database });
    expect((await app.get('/')).status).toBe(200);
  });
});
`,
    },
    next: [],
  };
}
