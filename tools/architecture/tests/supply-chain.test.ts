import { checkPackages, type SupplyChain } from '../supply-chain.ts';

const integrity = 'sha512-AAAA';

function check(
  packages: Record<string, object>,
  allowScripts: Record<string, boolean> = {},
  sqlite = '3.52.0',
): string[] {
  const chain: SupplyChain = {
    lock: JSON.stringify({ packages: { '': {}, ...packages } }, null, 2),
    manifest: JSON.stringify({ allowScripts }, null, 2),
    sqlite,
  };
  return checkPackages(chain).map(({ rule, file, line, message }) => `${rule} ${file}:${line} ${message}`);
}

test('A package without a checksum is told, by its line', () => {
  const violations = check({
    'node_modules/a': { version: '1.0.0', integrity },
    'node_modules/b': { version: '1.0.0' },
  });
  expect(violations).toEqual([expect.stringMatching(/^package-integrity package-lock\.json:8 b has no checksum/)]);
});

test('A package from elsewhere than the others is told', () => {
  const from = (host: string): object => ({ version: '1.0.0', integrity, resolved: `https://${host}/x.tgz` });
  const violations = check({
    'node_modules/a': from('one.example'),
    'node_modules/b': from('one.example'),
    'node_modules/c': from('two.example'),
    'node_modules/d': { version: '1.0.0', integrity, resolved: 'git+ssh://git@one.example/d.git#abc' },
    'node_modules/e': { version: '1.0.0', integrity },
  });
  expect(violations.map((line) => line.split(' ')[2])).toEqual(['d', 'c']);
});

test('Packages below their floor are told, wherever they are in the tree', () => {
  const violations = check({
    'node_modules/qs': { version: '6.15.0', integrity },
    'node_modules/x/node_modules/qs': { version: '6.14.1', integrity },
    'node_modules/handlebars': { version: '4.7.10', integrity },
    'node_modules/multer': { version: '1.4.5-lts.1', integrity },
    'node_modules/nodemailer': { version: '10.0.5-beta.1', integrity },
  });
  expect(violations.map((line) => line.replace(/^.*:\d+ /, ''))).toEqual([
    'qs 6.14.1 has a vulnerability that is fixed in 6.14.2.',
    'multer 1.4.5-lts.1 has a vulnerability that is fixed in 2.1.1.',
    'nodemailer 10.0.5-beta.1 has a vulnerability that is fixed in 10.0.5.',
  ]);
});

test('A driver with an old SQLite is told', () => {
  expect(check({}, {}, '3.51.2')).toEqual([expect.stringContaining('includes SQLite 3.51.2')]);
  expect(check({}, {}, '3.51.3')).toEqual([]);
});

test('A package may run scripts when it is installed only if somebody said so, for that version if one is given', () => {
  const packages = {
    'node_modules/named': { version: '1.0.0', integrity, hasInstallScript: true },
    'node_modules/pinned': { version: '1.0.0', integrity, hasInstallScript: true },
    'node_modules/@scope/denied': { version: '1.0.0', integrity, hasInstallScript: true },
    'node_modules/unnamed': { version: '1.0.0', integrity, hasInstallScript: true },
  };
  expect(check(packages, { named: true, 'pinned@0.9.0 || 1.0.0': true, '@scope/denied': false })).toEqual([
    expect.stringContaining('unnamed 1.0.0 has an install script'),
  ]);
  const stale = check(packages, { named: true, 'pinned@0.9.0': true, '@scope/denied': false, unnamed: true });
  expect(stale).toEqual([
    expect.stringContaining('pinned 1.0.0 has an install script'),
    expect.stringMatching(/^package-script package\.json:4 allowScripts lists pinned@0\.9\.0/),
  ]);
});

test('A lock file that lacks packages for other kinds of machines is told', () => {
  const optionalDependencies = { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' };
  const violations = check({
    'node_modules/tool': { version: '1.0.0', integrity, optionalDependencies },
    'node_modules/tool-linux': { version: '1.0.0', integrity },
  });
  expect(violations).toEqual([expect.stringContaining('lacks tool-mac, which tool needs')]);
});
