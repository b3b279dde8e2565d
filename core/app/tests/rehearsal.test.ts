import { basename } from 'node:path';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { changeMailText } from '../../../packages/mailer/index.ts';
import { rehearseSwitch } from '../../../packages/rehearsal/run.ts';
import { openSide } from '../../../packages/rehearsal/side.ts';
import type { Rehearsal, RehearsedAction } from '../../../packages/rehearsal/types.ts';
import { parts } from '../../../parts.ts';
import { clubFolder, plantedFaults, raised } from './rehearsal-fixture.ts';

eachDatabase('A rehearsal', (database, once) => {
  let app: TestApp;
  let firstFolder: string;

  beforeAll(async () => {
    firstFolder = clubFolder('first');
    app = await createTestApp({ addons: ['fx_club'], roots: [firstFolder], demo: true, database });
    await app.write((ctx) =>
      changeMailText(ctx, 'fx_club.hello', 'en_US', { subject: 'Hi {name}', body: '<p>Hi {{name}}</p>' }),
    );
  });
  afterAll(() => app.close());

  /** Rehearses with the addon's code from another folder. */
  function rehearsed(action: RehearsedAction, folder = firstFolder, limit = 120, consents = true): Promise<Rehearsal> {
    const { config, application } = app;
    const roots = application.roots.map((root) => (basename(root) === 'fx_club' ? folder : root));
    return rehearseSwitch({
      config,
      roots,
      action,
      names: ['fx_club'],
      limit,
      consents,
      previousCode: [firstFolder],
      open: (setup) => openSide({ ...setup, config, parts }),
    });
  }

  /** Everything stored in the site. */
  const contents = () =>
    app.read(async (ctx) =>
      JSON.stringify([await ctx.db('ir_module').select(), await ctx.db('fx_club_member').select()]),
    );

  test('reports every planted fault of an upgrade, and changes nothing', async () => {
    const before = await contents();
    // Code that can do more than was agreed to doesn't run, not even on a copy.
    await expect(rehearsed('upgrade', clubFolder('second'), 120, false)).rejects.toMatchObject({
      code: 'core.review_code',
    });
    const { verdict, differences, notes } = await rehearsed('upgrade', clubFolder('second'));
    const missed = plantedFaults.filter(
      ({ kind, path, after = '' }) =>
        !differences.some(
          (difference) =>
            difference.kind === kind && difference.path.startsWith(path) && (difference.after ?? '').includes(after),
        ),
    );
    expect(missed.map(({ what }) => what)).toEqual([]);
    expect(verdict).toBe('fails');
    expect(notes).toEqual([]);
    expect(await contents()).toBe(before);
  });

  once('finds nothing if an upgrade changes nothing', async () => {
    expect(await rehearsed('upgrade', clubFolder(raised()), 30)).toMatchObject({ verdict: 'same', differences: [] });
  });

  test('of a failing migration, and of a template whose patch has lost its place, fails with the reason', async () => {
    const migration = `import { migration } from 'pergola';
export default migration({ version: '1.1.0', summary: 'Fails', async up() { throw new Error('half way'); } });`;
    expect(
      await rehearsed('upgrade', clubFolder({ ...raised(), 'migrations/0001-fails.ts': migration })),
    ).toMatchObject({
      verdict: 'fails',
      pages: 0,
      differences: [{ kind: 'problem', path: 'fx_club', after: expect.stringContaining('half way') }],
    });
    const patch = '{{#at "[data-slot=nowhere]" "inside"}}<p>Club</p>{{/at}}';
    expect(
      await rehearsed('upgrade', clubFolder({ ...raised(), 'templates/web.frontend_layout.patch.hbs': patch })),
    ).toMatchObject({
      verdict: 'fails',
      differences: [{ kind: 'problem', after: expect.stringContaining('nowhere') }],
    });
  });

  test('of disabling and uninstalling names what goes, and lost records only for an uninstall', async () => {
    const disabled = await rehearsed('disable', firstFolder, 30);
    expect(disabled).toMatchObject({ verdict: 'differs' });
    expect(disabled.differences).toContainEqual({
      path: '/club/home',
      as: 'visitor',
      kind: 'status',
      before: '200',
      after: '404',
    });
    expect(disabled.differences.filter(({ kind }) => kind === 'data')).toEqual([]);
    const uninstalled = await rehearsed('uninstall', firstFolder, 1);
    expect(uninstalled.differences).toContainEqual({
      path: 'model fx_club.member',
      as: '',
      kind: 'data',
      before: '2 records',
      after: null,
    });
    expect(app.application.generation.addons.map(({ name }) => name)).toContain('fx_club');
  });
});
