import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Lines of an addon's files that a fault replaces. */
type Files = Readonly<Record<string, string>>;

const page = (title: string, body: string): string =>
  `{{#> website.layout title="${title}"}}<section class="club"><h1>${title}</h1>${body}</section>{{/website.layout}}`;
const po = (texts: Readonly<Record<string, string>>): string =>
  [
    'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n',
    ...Object.entries(texts).map(([english, french]) => `msgid "${english}"\nmsgstr "${french}"\n`),
  ].join('\n');

const declarations = (fields: string): string => `
export class Member extends model('fx_club.member', { ${fields} }) {}
declare module 'pergola' { interface Models { 'fx_club.member': Member } }
const show = (path: string, name: string, options: object = {}) =>
  route.page(path, { name: 'fx_club.' + name, ...options }, ({ render }) => render('fx_club.' + name as never, {}));
const leads = (path: string, name: string, to: string) =>
  route.page(path, { name: 'fx_club.' + name }, () => redirect(to));
`;
const imports = `import { access, defineAddon, f, job, mail, model, redirect, route, rule, z } from 'pergola';`;

const french = {
  'Welcome to the club': 'Bienvenue au club',
  'We meet on Sundays': 'Nous jouons le dimanche',
  'Hello {name}': 'Bonjour {name}',
};
const templates = {
  'templates/fx_club.home.hbs': page('Club', '<p>Welcome to the club</p>'),
  'templates/fx_club.french.hbs': page('Club', '<p>We meet on Sundays</p>'),
  'templates/fx_club.layout.hbs': page('Club', '<div class="row"><div class="col-6"><p>Left</p></div></div>'),
  'templates/fx_club.picture.hbs': page('Club', '<img src="/fx_club/a.png" alt="Team">'),
  'templates/fx_club.ids.hbs': page('Club', '<p id="one">One</p><p id="two">Two</p>'),
  'templates/fx_club.button.hbs': page(
    'Club',
    '<button type="button" aria-label="Close">×</button><button type="button">Go</button>',
  ),
  'templates/fx_club.large.hbs': page('Club', '<p>Small</p>'),
  'templates/fx_club.text.hbs': page('Club', '<p>Training at six</p>'),
  'templates/fx_club.hello.hbs': '<p>Dear {{name}}</p>',
  'templates/website.layout.patch.hbs': '',
};

/** The first version of a small club: nothing is wrong with it. */
const first: Files = {
  'addon.ts': `${imports}${declarations("name: f.char(), city: f.char(), phone: f.char({ groups: ['base.group_system'] }), note: f.char(), rank: f.integer()")}
const hello = mail<{ name: string }>('fx_club.hello', { subject: 'Hello {name}', template: 'fx_club.hello' });
const tidy = job('fx_club.tidy', { input: z.object({}), cron: '5 3 * * *', run: async () => {} });
export default defineAddon({
  name: 'fx_club', title: 'Club', summary: 'Is upgraded with faults', version: '1.0.0', depends: ['website'],
  models: [Member], mails: [hello], jobs: [tidy],
  access: [access(Member, { '*': 'r', 'base.group_user': 'rwcd' })],
  rules: [rule('fx_club.ranked', Member, { domain: () => [['rank', '>', 0]] })],
  routes: [
    ...['home', 'french', 'layout', 'picture', 'ids', 'button', 'large', 'text'].map((name) => show('/club/' + name, name)),
    show('/club/board', 'board', { auth: 'user', groups: ['base.group_system'] }),
    show('/club/open', 'open'), show('/club/gone', 'gone'), show('/club/fails', 'fails'),
    route.page('/club/queries', { name: 'fx_club.queries' }, async ({ ctx, render }) => {
      await ctx.sudo().modelNamed('fx_club.member').search([]);
      return render('fx_club.home' as never, {});
    }),
    route.page('/club/slow', { name: 'fx_club.slow' }, ({ render }) => render('fx_club.home' as never, {})),
    leads('/club/old', 'old', '/club/home'), leads('/club/go', 'go', '/club/home'),
  ],
});`,
  'data/members.ts': `import { data } from 'pergola'; import { Member } from '../addon.ts';
export default data(Member, {
  ann: { name: 'Ann', city: 'Lyon', note: 'Plays left', rank: 1 }, bob: { name: 'Bob', city: 'Lille', note: 'Keeper', rank: 2 },
});`,
  'i18n/fr.po': po(french),
  ...templates,
  ...Object.fromEntries(
    ['board', 'open', 'gone', 'fails'].map((name) => [`templates/fx_club.${name}.hbs`, page('Club', `<p>${name}</p>`)]),
  ),
  'templates/website.layout.patch.hbs': '',
};

/** What has to be reported of a fault. */
export interface PlantedFault {
  readonly what: string;
  readonly kind: string;
  /** Beginning of the path. */
  readonly path: string;
  /** Part of what is reported after the upgrade; empty for anything. */
  readonly after?: string;
}

/** The faults of the second version, and how a rehearsal reports them. */
export const plantedFaults: readonly PlantedFault[] = [
  { what: 'a query per record', kind: 'queries', path: '/club/queries' },
  { what: 'a slow page', kind: 'time', path: '/club/slow' },
  { what: 'a page opened to everyone', kind: 'rights', path: '/club/board' },
  { what: 'its route opened to everyone', kind: 'rights', path: 'route GET /club/board' },
  { what: 'a page closed to visitors', kind: 'rights', path: '/club/open' },
  { what: 'a model opened for writing', kind: 'rights', path: 'access fx_club.member for *', after: 'write' },
  { what: 'a record rule that is gone', kind: 'rights', path: 'access rule fx_club.ranked' },
  { what: 'a secret field opened', kind: 'rights', path: 'access field fx_club.member.phone' },
  { what: 'a missing French text', kind: 'translation', path: '/fr/club/french', after: 'We meet on Saturdays' },
  { what: 'a broken layout', kind: 'structure', path: '/club/layout' },
  { what: 'lost records', kind: 'data', path: 'model fx_club.member', after: '1 record' },
  { what: 'a dropped column with values', kind: 'data', path: 'model fx_club.member, city' },
  { what: 'an email that no longer knows a name', kind: 'mail', path: 'mail fx_club.hello' },
  { what: 'a missing job', kind: 'job', path: 'job fx_club.tidy' },
  { what: 'a redirect loop', kind: 'loop', path: '/club/old' },
  { what: 'a redirect elsewhere', kind: 'redirect', path: '/club/go', after: '/club/text' },
  { what: 'a page that fails', kind: 'error', path: '/club/fails', after: 'No ball' },
  { what: 'a page that is gone', kind: 'status', path: '/club/gone', after: '404' },
  { what: 'an image without a text', kind: 'accessibility', path: '/club/picture', after: 'alternative text' },
  { what: 'two elements with one id', kind: 'accessibility', path: '/club/ids', after: 'one' },
  { what: 'a button without a name', kind: 'accessibility', path: '/club/button', after: 'button' },
  { what: 'a much larger page', kind: 'bytes', path: '/club/large' },
  { what: 'a changed text', kind: 'text', path: '/club/text', after: 'Training at seven' },
];

const second: Files = {
  ...first,
  'addon.ts': `${imports}${declarations('name: f.char(), phone: f.char(), note: f.char(), rank: f.integer()')}
const hello = mail<{ member: string }>('fx_club.hello', { subject: 'Hello {member}', template: 'fx_club.hello' });
export default defineAddon({
  name: 'fx_club', title: 'Club', summary: 'Is upgraded with faults', version: '1.1.0', depends: ['website'],
  models: [Member], mails: [hello],
  access: [access(Member, { '*': 'rw', 'base.group_user': 'rwcd' })],
  routes: [
    ...['home', 'french', 'layout', 'picture', 'ids', 'button', 'large', 'text'].map((name) => show('/club/' + name, name)),
    show('/club/board', 'board'), show('/club/open', 'open', { auth: 'user' }),
    route.page('/club/fails', { name: 'fx_club.fails' }, () => { throw new Error('No ball'); }),
    route.page('/club/queries', { name: 'fx_club.queries' }, async ({ ctx, render }) => {
      for (let index = 0; index < 5; index += 1) await ctx.sudo().modelNamed('fx_club.member').search([['id', '>', index]]);
      return render('fx_club.home' as never, {});
    }),
    route.page('/club/slow', { name: 'fx_club.slow' }, ({ render }) => {
      for (const end = performance.now() + 900; performance.now() < end; );
      return render('fx_club.home' as never, {});
    }),
    leads('/club/old', 'old', '/club/older'), leads('/club/older', 'older', '/club/old'), leads('/club/go', 'go', '/club/text'),
  ],
});`,
  'data/members.ts': `import { data } from 'pergola'; import { Member } from '../addon.ts';
export default data(Member, { ann: { name: 'Ann', note: 'Plays left', rank: 1 } });`,
  'migrations/0001-city.ts': `import { migration } from 'pergola';
export default migration({ version: '1.1.0', summary: 'Removes the city and a member', async up(tools) {
  await tools.db('fx_club_member').where({ name: 'Bob' }).delete();
  await tools.dropColumn('fx_club_member', 'city');
} });`,
  'templates/fx_club.french.hbs': page('Club', '<p>We meet on Saturdays</p>'),
  'templates/fx_club.layout.hbs': page('Club', '<div class="row"><p>Left</p></div>'),
  'templates/fx_club.picture.hbs': page('Club', '<img src="/fx_club/a.png">'),
  'templates/fx_club.ids.hbs': page('Club', '<p id="one">One</p><p id="one">Two</p>'),
  'templates/fx_club.button.hbs': page('Club', '<button type="button"></button><button type="button">Go</button>'),
  'templates/fx_club.large.hbs': page('Club', `<p>Small</p>${'<p>Large</p>'.repeat(4_000)}`),
  'templates/fx_club.text.hbs': page('Club', '<p>Training at seven</p>'),
  'templates/fx_club.hello.hbs': '<p>Dear {{member}}</p>',
};

function clean(files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text !== ''));
}

/** Writes the first version, the second with all its faults, or a version with other files. Returns its folder. */
export function clubFolder(version: 'first' | 'second' | Files): string {
  const files = version === 'first' ? first : version === 'second' ? second : { ...first, ...version };
  const folder = join(mkdtempSync(join(tmpdir(), 'club-')), 'fx_club');
  for (const [path, text] of Object.entries(clean(files))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The definition of the first version, raised to the next. */
export function raised(edit: (text: string) => string = (text) => text): Files {
  return { 'addon.ts': edit((first['addon.ts'] ?? '').replace("'1.0.0'", "'1.1.0'")) };
}
