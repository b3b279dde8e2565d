import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApp } from 'pergola/testing';

test('Views, menus and public methods are checked against the models before they serve', async () => {
  const roots = [join(import.meta.dirname, 'fixtures')];
  const told = await createTestApp({ addons: ['fx_wrong_views'], database: 'sqlite', roots }).then(
    () => '',
    (error: Error) => error.message,
  );
  for (const part of [
    /fx_wrong_views addon\.ts:18: menu "fx_wrong_views\.menu" names the model "fx\.absent"/,
    /fx_wrong_views addon\.ts:18: menu "fx_wrong_views\.menu" names the group "fx_wrong_views\.editr".*Did you mean “fx_wrong_views\.editor”/,
    /the list of "fx\.wrong": .*“tittle”/,
    /the search of "fx\.wrong": “state” is never “opne”.*Did you mean “open”/,
    /the form of "fx\.wrong": the button's method "publish" is not declared public/,
    /fx_wrong_views addon\.ts:\d+: public method "fx\.wrong\.absent" is not there/,
    /fx_wrong_views addon\.ts:\d+: the timetable "0 7 \* \*" of job "fx_wrong_views\.nightly" cannot be read/,
    /fx_wrong_views addon\.ts:\d+: setting "fx_wrong_views\.most" has a default that its own schema refuses/,
    /fx_wrong_views addon\.ts:\d+: mail "fx_wrong_views\.hello" names the template "fx_wrong_views\.hallo"/,
    /the pivot of "fx\.wrong": "display_name" cannot be grouped by or added up/,
    /the graph of "fx\.wrong": .*“nope”/,
    /widget "fx_wrong_views\.widget" counts "fx\.wrong" for "Wrong", and "fx_wrong_views\.menu" leads to other records/,
    /widget "fx_wrong_views\.widget" names the filter "absent"/,
    /the kanban of "fx\.wrong": .*“stat”/,
    /fx_wrong_views addon\.ts:\d+: public picture "fx\.wrong\.titel" is no picture or file of a model\..*Did you mean “title”/,
    /public picture "fx\.wrogn\.title".*Did you mean “fx\.wrong”/,
  ])
    expect(told).toMatch(part);
});

test.each([
  ['manifest', 'boook', ['“boook”.*“book”']],
  [
    'menu, a widget and an account entry',
    'book',
    ['“calender-week”.*“calendar-week”', '“graph-upp”.*“graph-up”', '“cup-hott”.*“cup-hot”'],
  ],
])('Icons that are not there are named: in the %s', async (_where, icon, expected) => {
  const root = mkdtempSync(join(tmpdir(), 'icons-'));
  mkdirSync(join(root, 'wrong_icons'));
  writeFileSync(
    join(root, 'wrong_icons/addon.ts'),
    `import { accountEntry, menu, widget } from '@pergola/web';
import { defineAddon } from 'pergola';
export default defineAddon({
  name: 'wrong_icons', title: 'Icons', summary: 'Wrong ones', version: '1.0.0', icon: '${icon}', depends: ['web'],
  menus: [menu('wrong_icons.menu', { label: 'Weeks', icon: 'calender-week', url: '/a' })],
  widgets: [widget('wrong_icons.widget', { label: 'Weeks', icon: 'graph-upp', load: async () => [] })],
  accountEntries: [accountEntry('wrong_icons.entry', { part: 'orders', label: 'a', help: 'b', icon: 'cup-hott', url: '/my/a' })],
});
`,
  );
  const told = await createTestApp({ addons: ['wrong_icons'], roots: [root] }).then(
    () => '',
    (error: Error) => error.message,
  );
  rmSync(root, { recursive: true });
  for (const near of expected) expect(told).toMatch(new RegExp(near));
});
