import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { jest } from '@jest/globals';
import { repository } from '../../../core/base/addon-folders.ts';
import { kinds } from '../../make/kinds.ts';
import { typesFile } from '../../templates/needs.ts';
import { Client } from '../../testing/client.ts';
import { type RunningServer, startServer } from '../../testing/server.ts';

jest.setTimeout(600_000);

const password = 'a first password';
const folder = mkdtempSync(join(tmpdir(), 'outside-'));
let server: RunningServer | undefined;
afterAll(async () => {
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** As somebody at a terminal in Pergola's folder, with a site of this name. */
function shell(commands: string, site: string): { readonly status: number | null; readonly said: string } {
  const { ADDONS_PATH: _addons, NODE_OPTIONS: _options, NODE_ENV: _mode, ...rest } = process.env;
  const PATH = `${dirname(process.execPath)}:${rest.PATH}`;
  const env = {
    ...rest,
    PATH,
    DATA_DIR: join(folder, site),
    ADMIN_PASSWORD: password,
    DEMO: 'false',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
  };
  const { status, stdout } = spawnSync('sh', ['-ec', `exec 2>&1\n${commands}`], {
    cwd: repository,
    encoding: 'utf8',
    env,
  });
  // oxlint colours what it prints where CI is set, whatever NO_COLOR says.
  return { status, said: stripVTControlCharacters(stdout) };
}

/** One part of each kind that `make` knows; a second model goes into files that are there. */
const parts = [
  'model spare-part',
  'model bike',
  'view spare-part',
  'route opening-hours',
  'island counter',
  'block teaser',
  'job tidy',
  'mail ready',
  'migration tidy-up',
  'migration answers --rename spare_part.remarks=notes --drop spare_part.color',
  'test served',
];

describe('An addon outside of the repository', () => {
  it('is enabled, tested and checked by the commands that "new" prints, with a part of each kind, and typed from its templates on', () => {
    const { said: printed } = shell(`node bin/pergola.js new visitor --outside ${folder}`, 'first');
    const make = (part: string) =>
      shell(`cd ${folder}/visitor && node ${repository}/bin/pergola.js make ${part}`, 'first');
    expect(new Set(parts.map((part) => part.split(' ')[0]))).toEqual(new Set(Object.keys(kinds)));
    for (const part of parts) expect({ part, ...make(part) }).toMatchObject({ part, status: 0 });
    const before = readFileSync(join(folder, 'visitor/models/bike.ts'), 'utf8');
    expect(make('model bike')).toMatchObject({ status: 2, said: expect.stringContaining('models/bike.ts') });
    expect(make('view boat')).toMatchObject({ status: 2, said: expect.stringContaining('make model boat') });
    expect(make('model ../boat')).toMatchObject({ status: 2, said: expect.stringContaining('is no name') });
    expect(make('thing boat')).toMatchObject({ status: 2, said: expect.stringContaining('There is no kind') });
    expect(readFileSync(join(folder, 'visitor/models/bike.ts'), 'utf8')).toBe(before);
    const commands = printed.split('\n').filter((line) => line.startsWith('  '));
    expect(commands.map((line) => line.trim().split(' ')[0])).toEqual(['export', 'npx', 'cd']);
    const { status, said } = shell(commands.join('\n'), 'first');
    // Those of a model, a job, a migration and a plain test run on two databases.
    expect(said).toContain('Tests:       18 passed');
    expect({ status, said }).toMatchObject({ status: 0 });

    const template = join(folder, 'visitor/templates/visitor.page.hbs');
    writeFileSync(template, readFileSync(template, 'utf8').replace('{{who}}', '{{whoo}}'));
    const wrong = shell(`cd ${folder}/visitor && npm run check`, 'first');
    expect(wrong.said).toContain(
      'templates/visitor.page.hbs:3: {{whoo}}: nothing that shows visitor.page gives it “whoo”.',
    );
    expect(wrong.status).not.toBe(0);
    // What `render` is typed by.
    const types = readFileSync(join(folder, 'visitor', typesFile), 'utf8');
    expect(types).toMatch(/'visitor\.page': \{[^}]*\bwhoo: unknown/);
    expect(types).not.toContain("'fx_");

    writeFileSync(
      join(folder, 'visitor/forgotten.ts'),
      `import type { Ctx } from '#core';\n\nexport function forget(ctx: Ctx, id: number): void {\n  ctx.sudo().model('res.partner').write(id, { name: 'x' });\n}\n`,
    );
    writeFileSync(template, readFileSync(template, 'utf8').replace('{{whoo}}', '{{who}}'));
    const forgotten = shell(`cd ${folder}/visitor && npm run check`, 'first');
    expect(forgotten.said).toMatch(/no-floating-promises[\s\S]*forgotten\.ts:4:3/);
    expect(forgotten.status).not.toBe(0);
  });

  it('is packed as JavaScript, and served from the unpacked package with its island', async () => {
    const dist = join(folder, 'package/dist');
    const pack = `(cd examples/library && npm pack --silent --pack-destination ${folder})
      tar xzf ${folder}/pergola-library-1.0.0.tgz -C ${folder}`;
    const { status, said } = shell(`${pack}\nADDONS_PATH=${dist} node bin/pergola.js enable library`, 'second');
    expect({ status, said }).toMatchObject({ status: 0 });
    const files = execFileSync('find', [dist, '-type', 'f'], { encoding: 'utf8' });
    expect(files).toContain('library/islands/reserve.js');
    expect(files).not.toMatch(/(?<!\.d)\.tsx?$|tests|tsconfig|secret/m);
    // Types, for addons that build on it.
    const types = readFileSync(join(dist, 'library/models/author.d.ts'), 'utf8');
    expect(types).toMatch(/class Author extends/);
    const manifest = join(folder, 'package/package.json');
    const written = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, written.replace(/"pergola": "[^"]*"/, '"pergola": "^99.0.0"'));
    const misfit = shell(`ADDONS_PATH=${dist} node bin/pergola.js enable library`, 'second');
    expect(misfit.said).toContain('is made for Pergola ^99.0.0, and this is Pergola');
    writeFileSync(manifest, written);

    server = await startServer({
      env: { DATA_DIR: join(folder, 'second'), ADDONS_PATH: dist, DEMO: 'false', LOG_LEVEL: 'error' },
    });
    const admin = new Client(server.url);
    await admin.form('/web/login', { login: 'admin', password });
    const book = { name: 'Bees', website_published: true };
    const call = { model: 'library.book', method: 'create', args: [book], kwargs: {} };
    const id = await admin.rpc<number>('/web/dataset/call_kw', call);
    const { text } = await new Client(server.url).get(`/library/bees-${id}`);
    expect(text).toContain('Free copies: 1');
    const [script = ''] = /\/_assets\/library\/[^"&]*\.js/.exec(text) ?? [];
    expect((await admin.get(script)).text).toContain('status');
  });
});
