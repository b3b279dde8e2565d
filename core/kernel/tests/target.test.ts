import type { Addon, AddonDefinition } from '../addon.ts';
import type { StoredAddon } from '../storage.ts';
import { type Inventory, targetOf } from '../target.ts';

const addon = (name: string, more: Partial<AddonDefinition> = {}): Addon => ({
  name,
  folder: `/addons/${name}`,
  outside: false,
  files: {},
  definition: { name, title: name, summary: name, version: '1.0.0', ...more },
});
const row = (name: string, state: StoredAddon['state'], version: string | null = '1.0.0'): StoredAddon => ({
  name,
  state,
  version: state === 'uninstalled' ? null : version,
  lastError: null,
  changedAt: null,
  changedBy: null,
});
const inventory = (addons: Addon[], stored: StoredAddon[], more: Partial<Inventory> = {}): Inventory => ({
  addons: new Map(addons.map((addon) => [addon.name, addon])),
  stored: new Map(stored.map((row) => [row.name, row])),
  broken: [],
  leftOut: new Map(),
  ...more,
});

const site = [
  addon('base', { permanent: true }),
  addon('website', { depends: ['base'] }),
  addon('sale', { depends: ['base'] }),
  addon('shop', { depends: ['website', 'sale'] }),
  addon('glue', { depends: ['website', 'sale'], auto: true }),
];

describe('What takes part in a switch', () => {
  test('enabling takes along what is needed, and glue whose other half is there', () => {
    const target = targetOf('enable', ['shop'], inventory(site, [row('base', 'enabled')]));
    expect(target.problems).toEqual([]);
    expect(target.addons.map(({ name, reason }) => `${name}:${reason}`)).toEqual([
      'sale:needed',
      'website:needed',
      'glue:auto',
      'shop:asked',
    ]);
    expect([...target.enabled].sort()).toEqual(['base', 'glue', 'sale', 'shop', 'website']);
  });

  test('glue that was switched off by hand stays off', () => {
    const rows = [row('base', 'enabled'), row('website', 'enabled'), row('sale', 'enabled'), row('glue', 'disabled')];
    expect(targetOf('enable', ['shop'], inventory(site, rows)).addons.map(({ name }) => name)).toEqual(['shop']);
  });

  test('enabling what is enabled does nothing', () => {
    expect(targetOf('enable', ['base'], inventory(site, [row('base', 'enabled')])).addons).toEqual([]);
  });

  test('upgrading takes along what every site has and this one has not yet', () => {
    const more = [...site, addon('keys', { permanent: true, depends: ['base'] })];
    const rows = [row('base', 'enabled')];
    expect(
      targetOf('upgrade', [], inventory(more, rows)).addons.map(({ name, reason }) => `${name}:${reason}`),
    ).toEqual(['keys:needed']);
    expect([...targetOf('upgrade', [], inventory(more, rows)).enabled].sort()).toEqual(['base', 'keys']);
    expect(targetOf('upgrade', ['base'], inventory(more, rows)).addons).toEqual([]);
  });

  test('an upgrade of an addon that cannot be upgraded says why', () => {
    const because = (name: string) => ({ addon: name, message: `cannot be loaded: ${name}` });
    const without = (...names: string[]) => site.filter(({ name }) => !names.includes(name));
    const upgradeMessages = (names: string[], rows: StoredAddon[], more: Partial<Inventory> = {}, addons = site) =>
      targetOf('upgrade', names, inventory(addons, rows, more)).problems.map(({ message }) => message);
    const rows = [row('base', 'enabled'), row('website', 'enabled')];
    expect(upgradeMessages(['website'], rows)).toEqual([]);
    // Can't be loaded, whether or not it was enabled before.
    const broken = { broken: [because('website'), because('shop')] };
    expect(upgradeMessages(['website'], rows, broken, without('website', 'shop'))).toEqual([
      'cannot be loaded: website',
    ]);
    expect(upgradeMessages(['shop'], rows, broken, without('website', 'shop'))).toEqual(['cannot be loaded: shop']);
    expect(upgradeMessages([], rows, broken, without('website', 'shop'))).toEqual(['cannot be loaded: website']);
    // Can't be built.
    const leftOut = new Map([['website', [because('website')]]]);
    expect(upgradeMessages(['website'], rows, { leftOut })).toEqual(['cannot be loaded: website']);
    expect(upgradeMessages(['sale'], rows)).toEqual(['is not enabled, so there is nothing to upgrade.']);
    // The folder is missing, or contains an older version.
    expect(upgradeMessages(['website'], rows, {}, without('website'))).toEqual([
      expect.stringContaining('none of the addon folders'),
    ]);
    expect(upgradeMessages(['website'], [row('base', 'enabled'), row('website', 'enabled', '2.0.0')])).toEqual([
      expect.stringContaining('is older than the one the database was made for'),
    ]);
    // Other addons are still upgraded.
    const older = [row('base', 'enabled', '0.9.0'), row('website', 'enabled')];
    expect(upgradeMessages([], older, { leftOut })).toEqual([]);
  });

  test('disabling takes along what needs it, and leaves what may not go', () => {
    const rows = site.map(({ name }) => row(name, 'enabled'));
    const target = targetOf('disable', ['sale'], inventory(site, rows));
    expect(target.addons.map(({ name, reason, toVersion }) => `${name}:${reason}:${toVersion}`)).toEqual([
      'sale:asked:1.0.0',
      'glue:dependant:1.0.0',
      'shop:dependant:1.0.0',
    ]);
    expect(targetOf('disable', ['base'], inventory(site, rows)).problems).toMatchObject([{ addon: 'base' }]);
  });

  test('uninstalling takes along what is switched off and still refers to it', () => {
    const rows = [row('base', 'enabled'), row('sale', 'enabled'), row('website', 'enabled'), row('shop', 'disabled')];
    const target = targetOf('uninstall', ['sale'], inventory(site, rows));
    expect(target.addons).toMatchObject([
      { name: 'sale', from: 'enabled', to: 'uninstalled', toVersion: null },
      { name: 'shop', from: 'disabled', to: 'uninstalled', reason: 'dependant' },
    ]);
  });

  test('upgrading takes those whose version on disk is newer, and what they need now', () => {
    const addons = [addon('base'), addon('new'), addon('sale', { version: '1.10.0', depends: ['base', 'new'] })];
    const target = targetOf(
      'upgrade',
      [],
      inventory(addons, [row('base', 'enabled'), row('sale', 'enabled', '1.9.0')]),
    );
    expect(target.addons).toMatchObject([
      { name: 'new', from: 'uninstalled', to: 'enabled', reason: 'needed' },
      { name: 'sale', fromVersion: '1.9.0', toVersion: '1.10.0' },
    ]);
  });

  test('an unknown name is told with the one that was meant', () => {
    expect(targetOf('enable', ['websit'], inventory(site, [])).problems).toMatchObject([
      { addon: 'websit', remedy: 'Did you mean “website”?' },
    ]);
  });

  test('code older than the database is refused', () => {
    const { problems } = targetOf(
      'enable',
      ['sale'],
      inventory(site, [row('base', 'enabled'), row('sale', 'disabled', '2.0.0')]),
    );
    expect(problems).toMatchObject([
      { addon: 'sale', message: expect.stringContaining('older than the one the database') },
    ]);
  });

  test('what is broken here hinders what needs it, and nothing else', () => {
    const broken = { addon: 'website', message: 'cannot be loaded: no' };
    const inventoryWithBroken = inventory(
      site.filter(({ name }) => name !== 'website'),
      [row('base', 'enabled'), row('website', 'enabled')],
      { broken: [broken], leftOut: new Map([['website', [broken]]]) },
    );
    expect(targetOf('enable', ['sale'], inventoryWithBroken).problems).toEqual([]);
    expect(targetOf('enable', ['shop'], inventoryWithBroken).problems).toEqual([broken]);
    expect(targetOf('enable', ['website'], inventoryWithBroken).problems).toEqual([broken]);
  });

  test('a dependency that does not exist is the fault of the addon that names it, enabled or not', () => {
    const shop = addon('shop', { depends: ['websit'] });
    const message = 'depends on "websit", which is in none of the addon folders.';
    const fault = { addon: 'shop', file: 'addon.ts', message, remedy: 'Did you mean “website”?' };
    const addons = [...site.filter(({ name }) => name !== 'shop'), shop, addon('club', { depends: ['shop'] })];
    const fresh = targetOf('enable', ['shop'], inventory(addons, []));
    expect(fresh.problems).toEqual([fault]);
    expect(fresh.addons.map(({ name }) => name)).toEqual(['shop']);
    const served = inventory(addons, [row('shop', 'enabled')], { leftOut: new Map([['shop', [fault]]]) });
    expect(targetOf('enable', ['shop'], served)).toMatchObject({ addons: [], problems: [fault] });
    expect(targetOf('enable', ['club'], served).problems).toEqual([fault]);
  });
});
