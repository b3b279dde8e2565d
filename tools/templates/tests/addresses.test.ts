import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { registerResolve } from '@pergola/core';
import { checkAddresses } from '../check-addresses.ts';
import { loadAddons } from '../loaded-addons.ts';
import { TemplateSources } from '../sources.ts';

const files = {
  'addon.ts': `import { data, defineAddon, model } from 'pergola';
import { pages } from './pages.ts';
export default defineAddon({ name: 'lending', title: 'Lending', summary: 'Lending', version: '1.0.0', routes: pages });
`,
  'pages.ts': `import { action, redirect, reply, route, z } from 'pergola';
const loanUrl = (id: number) => \`/loans/\${id}\`;
export const pages = [
  route.page('/loans', { name: 'lending.loans' }, ({ render }) => render('lending.loans', {})),
  route.page('/loans/:loan', { name: 'lending.loan', params: { loan: z.string().regex(/^\\d+$/) } }, () => redirect('/loans')),
  route.http('/loans/export.csv', { name: 'lending.export', method: 'GET' }, () => reply.text('')),
  action('/loans/return', { name: 'lending.return', input: z.object({}), form: { page: '/loans' } }, () => true),
];
export const entry = { label: 'Loans', url: '/loans?open=1', to: loanUrl(1) };
`,
  'islands/loan.tsx': `import { rpc, useAction } from 'pergola/islands';
export function Loan({ id }: { readonly id: number }) {
  const { run } = useAction('/loans/return');
  return <a href="/loans/export.csv" onClick={() => void rpc('/loans/return').then(run)}>{id}</a>;
}
`,
  'data/pages.ts': `import { data } from 'pergola';
import { LendingMenu, Page } from '../models.ts';
export default [
  data(Page, { about: { url: '/about-lending', content: '<p><a href="/loans">Loans</a></p>' } }),
  data(LendingMenu, { about: { url: '/about-lending' } }),
];
`,
  'static/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'templates/lending.loans.hbs': `<a href="/about-lending#hours">About</a>
<img src="/lending/static/logo.svg" alt="">
<form method="post" action="/loans/return/form">{{csrf}}</form>
<form action="/loans"><input name="q"></form>
<a href="/loans/{{loan.id}}">{{loan.name}}</a>
<a href="{{href (concat "/loans/" loan.id)}}">{{loan.name}}</a>
{{> web.mail_button path="/loans" label="Loans"}}
`,
} as const;

const mistakes = [
  [
    'a link',
    'templates/lending.loans.hbs',
    '"/about-lending#',
    '"/about-lendign#',
    /loans\.hbs:1: .*“\/about-lendign#hours”\. Did you mean “\/about-lending”/,
  ],
  [
    'a file',
    'templates/lending.loans.hbs',
    'logo.svg',
    'lgoo.svg',
    /loans\.hbs:2: There is no file “\/lending\/static\/lgoo\.svg”/,
  ],
  [
    'the action of a form',
    'templates/lending.loans.hbs',
    '/return/form',
    '/retrun/form',
    /loans\.hbs:3: .*“\/loans\/retrun\/form”\. Did you mean “\/loans\/return\/form”/,
  ],
  [
    'a form that is posted to a page',
    'templates/lending.loans.hbs',
    '/loans/return/form',
    '/loans',
    /loans\.hbs:3: “\/loans” doesn’t accept POST requests/,
  ],
  [
    'a form that is not posted',
    'templates/lending.loans.hbs',
    'action="/loans"',
    'action="/laons"',
    /loans\.hbs:4: .*“\/laons”/,
  ],
  [
    'a link to a record',
    'templates/lending.loans.hbs',
    '"/loans/{{',
    '"/lonas/{{',
    /loans\.hbs:5: No route or page matches “\/lonas\/…”/,
  ],
  [
    'an address of parts',
    'templates/lending.loans.hbs',
    '(concat "/loans/"',
    '(concat "/lonas/"',
    /loans\.hbs:6: No route or page matches “\/lonas\/…”/,
  ],
  [
    'the button of a mail',
    'templates/lending.loans.hbs',
    'path="/loans"',
    'path="/laons"',
    /loans\.hbs:7: .*“\/laons”\. Did you mean “\/loans”/,
  ],
  [
    'a value that its parameter refuses',
    'templates/lending.loans.hbs',
    'path="/loans"',
    'path="/loans/export"',
    /loans\.hbs:7: No route or page matches “\/loans\/export”/,
  ],
  ['a redirect', 'pages.ts', "redirect('/loans')", "redirect('/laons')", /pages\.ts:5: .*“\/laons”/],
  [
    'a redirect with the name of a parameter',
    'pages.ts',
    "redirect('/loans')",
    "redirect('/loans/:loan')",
    /pages\.ts:5: “\/loans\/:loan” contains “:loan”, which nothing fills in\. Write the value in its place\./,
  ],
  [
    'a link with the name of a parameter',
    'templates/lending.loans.hbs',
    '"/loans/{{loan.id}}"',
    '"/loans/:loan"',
    /loans\.hbs:5: “\/loans\/:loan” contains “:loan”/,
  ],
  ['the page of a form', 'pages.ts', "page: '/loans'", "page: '/laons'", /pages\.ts:7: .*“\/laons”/],
  ['an entry', 'pages.ts', '/loans?open', '/laons?open', /pages\.ts:9: .*“\/laons\?open=1”/],
  [
    'an address that a function makes',
    'pages.ts',
    '`/loans/$',
    '`/lonas/$',
    /pages\.ts:2: No route or page matches “\/lonas\/…”/,
  ],
  [
    'an action of an island',
    'islands/loan.tsx',
    "useAction('/loans/return')",
    "useAction('/loans/retrun')",
    /loan\.tsx:3: .*“\/loans\/retrun”/,
  ],
  [
    'a call of an island',
    'islands/loan.tsx',
    "rpc('/loans/return')",
    "rpc('/loans')",
    /loan\.tsx:4: “\/loans” doesn’t accept POST/,
  ],
  [
    'a link of an island',
    'islands/loan.tsx',
    '/loans/export.csv',
    '/loans/exprot.csv',
    /loan\.tsx:4: .*Did you mean “\/loans\/export\.csv”/,
  ],
  ['a link in the text of a page', 'data/pages.ts', 'href="/loans"', 'href="/laons"', /data\/pages\.ts:4: .*“\/laons”/],
  [
    'a menu',
    'data/pages.ts',
    "data(LendingMenu, { about: { url: '/about-lending'",
    "data(LendingMenu, { about: { url: '/about-lendign'",
    /data\/pages\.ts:5: .*“\/about-lendign”/,
  ],
] as const;

const root = mkdtempSync(path.join(tmpdir(), 'addresses-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Problems reported for an addon with these files. */
async function faultsOf(name: string, changed: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = path.join(root, name, 'lending');
  for (const [file, content] of Object.entries({ ...files, ...changed })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  const sources = await TemplateSources.read([path.dirname(folder)]);
  const undo = registerResolve([folder]);
  const faults = checkAddresses((await loadAddons(sources.roots)).addons);
  undo();
  return faults.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

test('Nothing is said of addresses that are answered', async () => {
  expect(await faultsOf('right', {})).toEqual([]);
});

test.each(mistakes)('%s is told with its place', async (mistake, file, right, wrong, says) => {
  expect(files[file]).toContain(right);
  const faults = await faultsOf(mistake.replaceAll(' ', '-'), { [file]: files[file].replace(right, wrong) });
  expect(faults).toEqual([expect.stringMatching(says)]);
});
