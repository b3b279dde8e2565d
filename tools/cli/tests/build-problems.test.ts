import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { addonRoots } from '@pergola/core';
import { modelWarnings } from '../../architecture/models.ts';
import { buildProblems, describeBuildProblems } from '../build-problems.ts';

/** An addon with a misspelt name in each kind of declaration, and the expected reports. */
const files = {
  'addon.ts': `import { publicMethod, question } from '@pergola/web';

import { access, defineAddon, group, route, rule } from 'pergola';
import { blocks, snippets } from './blocks.ts';
import { Shift, Task } from './models.ts';
import { menus, views } from './views.ts';
const page = route.page('/faulty', { name: 'faulty.page', groups: ['base.group_usr'] }, ({ render }) => render('faulty.page', {}));
export default defineAddon({
  name: 'faulty', title: 'Faulty', summary: 'Faulty', version: '1.0.0', depends: ['website'],
  models: [Shift, Task],
  groups: [group('faulty.cook', { label: 'Cook', implies: ['base.group_portl'] })],
  access: [access(Shift, { 'faulty.cok': 'r' }), access(Task, {})],
  rules: [rule('faulty.own', Shift, { groups: ['faulty.coook'], domain: () => [] })],
  routes: [page],

  publicMethods: [
    publicMethod(Shift, 'offer', { right: 'write', writes: true }),
    publicMethod(Shift, 'finsh', { right: 'write', writes: true }),
  ],
  questions: [question(Shift, { fields: ['stat'], ask: async () => null })],
  blocks, snippets, menus, views,
});
`,
  'models.ts': `import { f, type Ids, model } from 'pergola';
export class Shift extends model(
  'faulty.shift',
  {
    name: f.char({ required: true, readonly: [['state', '=', 'don']] }),
    state: f.selection(['open', 'done'], { default: 'open' }),
    country_id: f.many2one('res.country', { empty: 'none', domain: [['coode', '=', 'FR']] }),
    region_id: f.many2one('res.country.state', { empty: 'none', within: { country_id: 'contry_id' } }),
    begins: f.datetime({ timezone: 'zon' }),
    zone: f.char({}),
    task_ids: f.one2many('faulty.task', 'shift_id', { order: 'nme' }),
    share: f.decimal({ percentage: 'percent', percentageWhen: [['state', '=', 'opn']] }),
    count: f.integer({ compute: 'countTask', depends: ['task_ids.shft_id'] }),
  },
  { order: 'nmae', label: 'Shift' },
) {
  async countTasks(ids: Ids) { return new Map(ids.map((id) => [id, 0])); }
  async offer() {}
  async finish() {}
}
export class Task extends model('faulty.task', {
  name: f.char({}),
  shift_id: f.many2one('faulty.shif', { empty: 'none' }),
}, { label: 'Task' }) {}
`,
  'blocks.ts': `import { block, z } from 'pergola';
const options = z.object({
  cook: z.number().default(0).meta({ title: 'Cook', records: 'res.partnr' }),
  country: z.number().default(0).meta({
    title: 'Country', records: 'res.country', where: [['nam', '=', 'x']] }),
});
export const blocks = [
  block('faulty.shifts', { label: 'Shifts', options, template: 'faulty.shfts', load: async () => ({}) }),
  block('faulty.rota', { label: 'Rota', options: z.object({ count: z.number().default(1) }), template: 'faulty.page', load: async () => ({}) }),
];
const thumbnail = '/faulty/static/shifts.svg';
export const snippets = [
  { id: 'faulty.shifts', label: 'Shifts', tab: 'dynamic', thumbnail, block: 'faulty.shfts' },
  { id: 'faulty.rota', label: 'Rota', tab: 'dynamic', thumbnail, block: 'faulty.rota',
    blockOptions: { cont: 2 } },
];
`,
  'views.ts': `import { menu, view } from '@pergola/web';
import { Partner } from '@pergola/base';
import { Shift } from './models.ts';
export const views = [
  view.form(Shift, {
    buttons: [
      { label: 'Offer', method: 'offers' },
      { label: 'Finish', method: 'finish' },
      { label: 'New task', opens: { model: 'faulty.taks', by: 'shift_id' } },
    ],
    counts: [{ label: 'Countries', icon: 'globe', model: 'res.country.state', by: 'contry_id' }],
  }),
  view.form(Partner, { adds: true, buttons: [{ label: 'Child', opens: { model: 'res.partner', by: 'parent' } }] }),
];
export const menus = [
  menu('faulty.root', { label: 'Faulty', icon: 'cup' }),
  menu('faulty.shifts', { label: 'Shifts', parent: 'faulty.rot', model: Shift }),
];
`,
  'styles/rota.page.scss': '.faulty { color: red; }\n',
  'islands/rota.tsx': 'export default function Rota() { return null; }\n',
  'islands/rota.props.ts': "import { z } from 'zod';\nexport default z.object({});\n",
  'templates/faulty.page.hbs': `<p>{{stylesheet "faulty.rot"}}</p>
{{island "faulty.Roa" (object)}}
`,
};

const reported = [
  'addon.ts:7: route "faulty.page" (GET /faulty) is for "base.group_usr", and no enabled addon has such a group. Did you mean “base.group_user”?',
  'addon.ts:11: group "faulty.cook" implies "base.group_portl", which is not there. Did you mean “base.group_portal”?',
  'addon.ts:12: The group “faulty.cok” in the access list of “faulty.shift” is not there. Did you mean “faulty.cook”?',
  'addon.ts:13: The group “faulty.coook” in the rule faulty.own is not there. Did you mean “faulty.cook”?',
  'addon.ts:18: public method "faulty.shift.finsh" is not there: the model has no such method. Did you mean “finish”?',
  'addon.ts:20: a question is about "faulty.shift.stat", which does not exist. Did you mean “state”?',
  'models.ts:5: “faulty.shift.name” is readonly by a condition: “state” is never “don”. Did you mean “done”?',
  'models.ts:7: “faulty.shift.country_id”, `domain`: “res.country” has no field “coode”. Did you mean “code”?',
  'models.ts:8: “faulty.shift.region_id”, `within`: “faulty.shift” has no field “contry_id”. Did you mean “country_id”?',
  'models.ts:9: “faulty.shift.begins” is in the zone of “zon”, which is no char field of the model. Did you mean “zone”?',
  'models.ts:11: “faulty.shift.task_ids”, `order`: “faulty.task” has no field “nme”. Did you mean “name”?',
  'models.ts:12: “faulty.shift.share”, `percentageWhen`: “state” is never “opn”. Did you mean “open”?',
  'models.ts:13: “faulty.shift.count” depends on “task_ids.shft_id”: “task_ids” leads to “faulty.task”, which has no field “shft_id”. Did you mean “shift_id”?',
  'models.ts:13: “faulty.shift.count” is worked out by countTask(), which the model does not have. Did you mean “countTasks”?',
  'models.ts:15: “faulty.shift” can’t be sorted by “nmae”: “faulty.shift” has no field “nmae”. Did you mean “name”?',
  'models.ts:23: “faulty.task.shift_id” leads to the model “faulty.shif”, which is not there. Did you mean “faulty.shift”?',
  'blocks.ts:8: block "faulty.shifts" has the option "country": “res.country” has no field “nam”. Did you mean “name”?',
  'blocks.ts:8: block "faulty.shifts" has the option "cook" for records of "res.partnr", which does not exist. Did you mean “res.partner”?',
  'blocks.ts:8: block "faulty.shifts" names the template "faulty.shfts", which is not there.',
  'blocks.ts:13: snippet "faulty.shifts" names the block "faulty.shfts", which is not there. Did you mean “faulty.shifts”?',
  'blocks.ts:15: snippet "faulty.rota" places the block "faulty.rota", which has no “cont”. Did you mean “count”?',
  'views.ts:7: the form of "faulty.shift": the button\'s method "offers" does not exist. Did you mean “offer”?',
  'views.ts:8: the form of "faulty.shift": the button\'s method "finish" is not declared public. List it with `publicMethod` in `publicMethods` of the addon.',
  'views.ts:9: the form of "faulty.shift": the button opens "faulty.taks", which is not there. Did you mean “faulty.task”?',
  'views.ts:11: the form of "faulty.shift": “res.country.state” has no field “contry_id”. Did you mean “country_id”?',
  'views.ts:13: the form of "res.partner": the button opens "res.partner", whose "parent" does not lead here. Did you mean “parent_id”?',
  'views.ts:17: menu "faulty.shifts" names the parent "faulty.rot", which is not there. Did you mean “faulty.root”?',
  'templates/faulty.page.hbs:1: there is no style sheet "faulty.rot". Did you mean “faulty.rota”?',
  'templates/faulty.page.hbs:2: there is no island "faulty.Roa". Did you mean “faulty.Rota”?',
];

const folder = mkdtempSync(join(tmpdir(), 'build-problems-'));
const addon = join(folder, 'addons/faulty');
beforeAll(() => {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(addon, file)), { recursive: true });
    writeFileSync(join(addon, file), content);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Every misspelt name in a declaration is reported with its line and the nearest name that exists', async () => {
  const place = relative('', addon);
  const lines = await describeBuildProblems(addonRoots(join(folder, 'addons')), new Set(['faulty']));
  const ownLines = lines.map((line) => line.replace(`${place}/`, ''));
  expect(ownLines.toSorted()).toEqual(reported.toSorted());
});

test('The shipped addons have no such names', async () => {
  expect(await buildProblems(addonRoots())).toEqual([]);
});

test('Only models without an access list are warned of', async () => {
  const lists = (list: string): string => `import { access, defineAddon, f, model } from 'pergola';
class Open extends model('listed.open', { name: f.char() }, { label: 'Open' }) {}
class Closed extends model('listed.closed', { name: f.char() }, { label: 'Closed' }) {}
export default defineAddon({ name: 'listed', title: 'Listed', summary: 'Listed', version: '1.0.0', models: [Open, Closed], access: [${list}] });
`;
  const place = join(folder, 'lists/listed');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'addon.ts'), lists("access(Open, { '*': 'r' })"));
  const warnings = await modelWarnings(addonRoots(join(folder, 'lists')));
  expect(warnings).toEqual([expect.stringMatching(/^listed addon\.ts:3: “listed\.closed” has no access list/)]);
});
