import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '@pergola/core';

const root = mkdtempSync(path.join(tmpdir(), 'outdated-'));
let registry: Server;
/** Answer of the registry to a request for vulnerabilities; null if it has no list. */
let advisories: object | null = null;

beforeAll(async () => {
  const addon = path.join(root, 'hives');
  mkdirSync(addon);
  writeFileSync(path.join(addon, 'addon.ts'), '');
  writeFileSync(
    path.join(addon, 'package.json'),
    JSON.stringify({ name: 'pergola-hives', version: '1.0.0', dependencies: { wax: '^1.0.0' } }),
  );
  const wax = { version: '1.0.0', resolved: 'https://example.org/wax-1.0.0.tgz', license: 'MIT' };
  writeFileSync(
    path.join(addon, 'package-lock.json'),
    JSON.stringify({
      name: 'pergola-hives',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'pergola-hives', version: '1.0.0', dependencies: { wax: '^1.0.0' } },
        'node_modules/wax': wax,
      },
    }),
  );
  mkdirSync(path.join(addon, 'node_modules/wax'), { recursive: true });
  writeFileSync(
    path.join(addon, 'node_modules/wax/package.json'),
    JSON.stringify({ name: 'wax', version: '1.0.0', license: 'MIT' }),
  );
  const published: Readonly<Record<string, object>> = {
    '/pergola-hives': packument('pergola-hives', '2.0.0', { peerDependencies: { pergola: '^99.0.0' } }),
    '/wax': packument('wax', '1.2.0', {}),
  };
  registry = createServer((request, response) => {
    const { url = '', method } = request;
    const answer = method === 'POST' ? advisories : published[url];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  registry.close();
  rmSync(root, { recursive: true });
});

/** What the registry knows about a package. */
function packument(name: string, version: string, manifest: object): object {
  const dist = { tarball: `https://example.org/${name}-${version}.tgz`, shasum: '0'.repeat(40) };
  const versions = Object.fromEntries(
    ['1.0.0', version].map((each) => [each, { name, version: each, dist, ...(each === version && manifest) }]),
  );
  return { name, 'dist-tags': { latest: version }, versions };
}

function pergola(...words: string[]): Promise<{ readonly code: unknown; readonly out: string }> {
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    ADDONS_PATH: root,
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_cache: path.join(root, '.npm'),
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(repository, 'bin/pergola.js'), ...words],
      { cwd: root, env },
      (error, out, err) => resolve({ code: error?.code ?? 0, out: `${out}${err}` }),
    );
  });
}

test('newer versions of addons and their packages are listed; without a list of vulnerabilities, that is said', async () => {
  advisories = null;
  const { code, out } = await pergola('outdated', 'hives', '--json');
  const { addons, packages, vulnerabilities } = JSON.parse(out);
  expect(addons).toEqual([{ addon: 'hives', version: '1.0.0', latest: '2.0.0', fits: false }]);
  expect(packages).toEqual([{ in: 'hives', package: 'wax', current: '1.0.0', wanted: '1.2.0', latest: '1.2.0' }]);
  expect([code, vulnerabilities]).toEqual([0, null]);
  const { out: report } = await pergola('outdated', 'hives');
  expect(report).toContain('hives 1.0.0 → 2.0.0, which is made for another version of Pergola');
  expect(report).toContain('hives: wax 1.0.0 → 1.2.0');
  expect(report).toContain('The registry has no list.');
});

test('packages with a known vulnerability are named, and the exit code is 1', async () => {
  advisories = {
    wax: [{ id: 1, url: 'https://example.org/1', title: 'Melts', severity: 'high', vulnerable_versions: '<1.2.0' }],
  };
  const { code, out } = await pergola('outdated', 'hives', '--json');
  const { vulnerabilities } = JSON.parse(out);
  expect(vulnerabilities).toEqual([{ in: 'hives', package: 'wax', severity: 'high', about: ['Melts'], hasFix: true }]);
  expect(code).toBe(1);
});

test('the bill of materials names each package with its licence', async () => {
  const { code, out } = await pergola('sbom', 'hives');
  const { bomFormat, components } = JSON.parse(out);
  expect([code, bomFormat]).toEqual([0, 'CycloneDX']);
  expect(components).toEqual([
    expect.objectContaining({ name: 'wax', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] }),
  ]);
  expect(JSON.parse((await pergola('sbom', 'hives', '--format', 'spdx')).out).spdxVersion).toMatch(/^SPDX/);
  expect(await pergola('sbom', 'hives', '--format', 'xml')).toMatchObject({ code: 2 });
});
