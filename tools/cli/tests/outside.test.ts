import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '@pergola/core';
import { kinds } from '../../make/kinds.ts';
import { Compiler } from '../../templates/compiler.ts';
import { typesFile } from '../../templates/needs.ts';
import { typeFaults } from '../../templates/type-faults.ts';
import { Client } from '../../testing/client.ts';
import { type RunningServer, startServer } from '../../testing/server.ts';

const password = 'a first password';
const folder = mkdtempSync(join(tmpdir(), 'outside-'));
const copies = mkdtempSync(join(tmpdir(), 'outside-'));
let server: RunningServer | undefined;
afterAll(async () => {
  await server?.remove();
  for (const temporaryFolder of [folder, copies]) rmSync(temporaryFolder, { recursive: true, force: true });
});

/** Runs commands like a user at a terminal in Pergola's folder, with a site of this name. */
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
  };
  const { status, stdout } = spawnSync('sh', ['-ec', `exec 2>&1\n${commands}`], {
    cwd: repository,
    encoding: 'utf8',
    env,
  });
  return { status, said: stdout };
}

/** One part of each kind that `make` supports; a second model goes into existing files. */
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
  'migration answers --rename spare_part.remarks=notes --drop spare_part.color --keep bike.color',
  'migration models --rename-model boat=bike --drop-model car --keep-model kart',
  'test served',
];

describe('An addon outside of the repository', () => {
  it('is enabled, tested and checked by the commands that "new" prints, with a part of each kind, and typed from its templates on', () => {
    const { said: printed } = shell(`node bin/pergola.js new visitor --outside ${folder}`, 'first');
    const make = (part: string) =>
      shell(`cd ${folder}/visitor && node ${repository}/bin/pergola.js make ${part}`, 'first');
    expect(new Set(parts.map((part) => part.split(' ')[0]))).toEqual(new Set(Object.keys(kinds)));
    for (const part of parts) expect({ part, ...make(part) }).toMatchObject({ part, status: 0 });
    const originalModel = readFileSync(join(folder, 'visitor/models/bike.ts'), 'utf8');
    expect(make('model bike')).toMatchObject({ status: 2, said: expect.stringContaining('models/bike.ts') });
    expect(make('view boat')).toMatchObject({ status: 2, said: expect.stringContaining('npm run make -- model boat') });
    expect(make('model ../boat')).toMatchObject({ status: 2, said: expect.stringContaining('is not a valid name') });
    expect(make('thing boat')).toMatchObject({ status: 2, said: expect.stringContaining('Unknown kind') });
    expect(readFileSync(join(folder, 'visitor/models/bike.ts'), 'utf8')).toBe(originalModel);
    const commands = printed.split('\n').filter((line) => line.startsWith('  '));
    expect(commands.map((line) => line.trim().split(' ')[0])).toEqual(['export', 'npx', 'cd']);
    const { status, said } = shell(commands.join('\n'), 'first');
    // Tests of a model, a job, a migration and a plain test run on two databases.
    expect(said).toContain('Tests:       20 passed');
    expect({ status, said }).toMatchObject({ status: 0 });

    const template = join(folder, 'visitor/templates/visitor.page.hbs');
    writeFileSync(template, readFileSync(template, 'utf8').replace('{{who}}', '{{whoo}}'));
    // A patch makes the check read the code of other addons too.
    writeFileSync(
      join(folder, 'visitor/templates/web.frontend_layout.patch.hbs'),
      '{{#at "[data-slot=footer]" "inside"}}\n  <p>Visit us</p>\n{{/at}}\n',
    );
    writeFileSync(
      join(folder, 'visitor/forgotten.ts'),
      `import type { Ctx } from 'pergola';\n\nexport function forget(ctx: Ctx, id: number): void {\n  ctx.sudo().model('res.partner').write(id, { name: 'x' });\n}\n`,
    );
    const wrong = shell(`cd ${folder}/visitor && npm run check`, 'first');
    expect(wrong.said).toContain(
      'templates/visitor.page.hbs:3: {{whoo}}: no code that shows visitor.page provides “whoo”.',
    );
    expect(wrong.said).toContain('forgotten.ts:4: This promise is not awaited');
    expect(wrong.status).not.toBe(0);
    // The types used by `render`.
    const types = readFileSync(join(folder, 'visitor', typesFile), 'utf8');
    expect(types).toMatch(/'visitor\.page': \{[^}]*\bwhoo: unknown/);
    expect(types).not.toContain("'fx_");
  });

  it('is meant by the commands that run in its folder, whatever ADDONS_PATH says, and held to the rules', () => {
    shell(`node bin/pergola.js new seats --outside ${folder}`, 'first');
    const addon = join(folder, 'seats');
    mkdirSync(join(addon, 'models'));
    writeFileSync(
      join(addon, 'models/seat.ts'),
      `import { Conflict, f, type Ids, model } from 'pergola';

/** A seat in a row. */
export class Seat extends model('seats.seat', { row: f.char({ size: 20 }) }, { label: 'Seat' }) {
  override async validate(_ids: Ids): Promise<void> {
    if ((await this.count([])) > 9) throw new Conflict('Nine are enough.');
  }
}
`,
    );
    cpSync(addon, join(copies, 'seats'), { recursive: true });
    const run = (words: string, place: string, path = '') =>
      shell(`cd ${join(copies, place)} && ADDONS_PATH=${path} node ${repository}/bin/pergola.js ${words}`, 'first');
    for (const place of ['.', 'seats', 'seats/models'])
      expect(run('i18n extract', place)).toMatchObject({
        status: 0,
        said: expect.stringMatching(/^seats: \d+ texts$/m),
      });
    const note = `seats is used from ${copies}/seats, not from ${addon}.`;
    const { status, said } = run('check', 'seats/models', addon);
    expect(said).toContain(note);
    expect(said).toMatch(/seat\.ts:6: This checks other records .*\(unlocked-count\)/);
    expect(said).toMatch(/^Rules …\n(.*\n)+Rules: 1 problem, \d+\.\d s$/m);
    expect(said).not.toContain('\u001b');
    expect(status).toBe(1);
    const tested = run('test -t nothing', 'seats', addon);
    expect(tested.said).toContain(note);
    expect(tested.said).toContain('2 skipped, 2 total');
    const declared = join(copies, 'seats/addon.ts');
    writeFileSync(declared, readFileSync(declared, 'utf8').replace("'website'", "'websit'"));
    const named = run('check ../..', 'seats/models').said;
    expect(named).toContain('\nseat.ts:6: ');
    expect(named).toContain('addon.ts:10: depends on "websit"');
    // Unreadable settings are reported as the only problem.
    writeFileSync(join(addon, 'tsconfig.json'), '{ "extends": "./nowhere.json" }');
    const unset = shell(`cd ${addon} && node ${repository}/bin/pergola.js check`, 'first').said;
    expect(unset.match(/^.*tsconfig\.json:\d+: .*$/gm)).toHaveLength(2);
    expect(unset).not.toContain('Cannot find module');
  });

  it('is packed as JavaScript, and served from the unpacked package with its island', async () => {
    const dist = join(folder, 'package/dist');
    const pack = `(cd examples/library && npm pack --silent --pack-destination ${folder})
      tar xzf ${folder}/pergola-library-1.0.0.tgz -C ${folder}`;
    const { status, said } = shell(`${pack}\nADDONS_PATH=${dist} node bin/pergola.js enable library`, 'second');
    expect({ status, said }).toMatchObject({ status: 0 });
    expect(said).toMatch(/JavaScript …\nTypes \(this may take a while\) …/);
    expect(said).toMatch(/There is no site at sqlite:.*\/second\/pergola\.db, so a new one is created\./);
    const files = execFileSync('find', [dist, '-type', 'f'], { encoding: 'utf8' });
    expect(files).toContain('library/islands/reserve.js');
    expect(files).not.toMatch(/(?<!\.d)\.tsx?$|tests|tsconfig|secret/m);
    // Types for addons that build on it.
    const types = readFileSync(join(dist, 'library/models/author.d.ts'), 'utf8');
    expect(types).toMatch(/class Author extends/);
    expect(said).toContain('23 of them with types');
    writeFileSync(
      join(folder, 'package/consumer.ts'),
      `import type { Ctx } from 'pergola';
import { Book } from './dist/library/models/book.js';
import type { reserve } from './dist/library/routes/reservations.js';
import { Desk } from './dist/library/services/desk.js';
export const list = async (ctx: Ctx): Promise<string> => {
  const [book] = await ctx.model(Book).find([['copies', '>', 1]], { select: { name: true, author_ids: { name: true }, website_published: true } });
  const published: boolean | undefined = book?.website_published;
  // @ts-expect-error a number
  const copies: string = (await ctx.model(Book).get(1, { select: { copies: true } })).copies;
  const result: NonNullable<(typeof reserve)['$action']>['result'] | null = null;
  return [book?.author_ids[0]?.name, published, copies, result, ctx.get(Desk)].join();
};
`,
    );
    const library = join(repository, 'examples/library');
    const config = join(folder, 'package/tsconfig.json');
    writeFileSync(config, JSON.stringify({ extends: join(library, 'tsconfig.json'), files: ['consumer.ts'] }));
    {
      using compiler = new Compiler([config]);
      expect(typeFaults(compiler.project(config), join(folder, 'package'), [])).toEqual([]);
    }
    const manifest = join(folder, 'package/package.json');
    const originalManifest = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, originalManifest.replace(/"pergola": "[^"]*"/, '"pergola": "^99.0.0"'));
    const misfit = shell(`ADDONS_PATH=${dist} node bin/pergola.js enable library`, 'second');
    expect(misfit.said).toContain('is made for Pergola ^99.0.0, and this is Pergola');
    writeFileSync(manifest, originalManifest);

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
