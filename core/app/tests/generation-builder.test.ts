import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type FileStore, files } from '../../../packages/files/types.ts';
import { routes } from '../../../packages/http/index.ts';
import { job } from '../../../packages/jobs/define.ts';
import { models } from '../../../packages/orm/points.ts';
import { helper } from '../../../packages/pages/helpers/tools.ts';
import { templates } from '../../../packages/pages/points.ts';
import { createFormats } from '../../../packages/texts/format.ts';
import { formats, ownCatalogs } from '../../../packages/texts/values.ts';
import { parts } from '../../../parts.ts';
import { loadConfig } from '../../base/config.ts';
import { describeProblem } from '../../base/errors.ts';
import { createLog } from '../../base/log.ts';
import { values } from '../../context/values.ts';
import { discover } from '../../kernel/discover.ts';
import { buildWithoutBroken } from '../../kernel/left-out.ts';
import { Parts } from '../../part/host.ts';
import { type BuildInput, buildApplication } from '../generation-builder.ts';
import { allPoints } from '../points.ts';

const fixtures = join(import.meta.dirname, '../../../tools/testing/fixtures');
const silent = createLog('silent');

async function input(...names: string[]): Promise<BuildInput> {
  const discovery = await discover([fixtures], silent, allPoints(parts));
  await discovery.loadAll();
  const { loaded: addons } = discovery;
  const config = loadConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'data-')), NODE_ENV: 'test' }, parts);
  const site = new Parts(config, silent, parts);
  site.set(values.config, config);
  site.set(values.log, silent);
  site.set(ownCatalogs, async () => []);
  site.set(formats, createFormats());
  site.set(files, {} as FileStore);
  return {
    record: { number: 1, addons: {}, data: { texts: ['en_US'], orm: [] } },
    addons: addons.filter(({ name }) => names.includes(name)),
    allAddons: addons,
    environment: { parts: site, roots: [fixtures] },
  };
}
const told = (problems: readonly Parameters<typeof describeProblem>[0][]): string =>
  problems.map(describeProblem).join('\n');

describe('A generation', () => {
  test('is built whole from the definitions of its addons', async () => {
    const { generation, problems } = await buildApplication(await input('fx_layers_c', 'fx_layers_b', 'fx_layers_a'));
    expect(told(problems)).toBe('');
    expect(generation?.addons.map(({ name }) => name)).toEqual(['fx_layers_a', 'fx_layers_b', 'fx_layers_c']);
    expect(generation?.get(models).get('fx.note')?.extensions).toEqual(['fx_layers_b', 'fx_layers_c']);
    expect(generation?.get(routes).match('GET', '/fx/note')?.bound.extendedBy).toEqual(['fx_layers_b']);
    expect(
      generation
        ?.get(templates)
        .sourceOf('fx_layers_a.note')
        ?.replace(/\{\{!.*?\}\}|<!--.*?-->/gs, '')
        .replace(/\s+/g, ''),
    ).toContain('<li>note</li><li>b</li><li>c</li>');
  });

  test('is not built when anything is wrong, and then everything that is wrong is told', async () => {
    const { generation, problems } = await buildApplication(
      await input(
        'fx_hello',
        'fx_patch_without_target',
        'fx_route_twice',
        'fx_missing_dependency',
        'fx_cycle_a',
        'fx_cycle_b',
        'fx_wrong_parts',
      ),
    );
    expect(generation).toBeUndefined();
    const text = told(problems);
    expect(text).toMatch(/fx_patch_without_target templates\/fx_hello\.hello\.patch\.hbs:1: .*tilte/);
    expect(text).toMatch(
      /fx_route_twice addon\.ts:\d+: GET \/fx\/hello exists in addon fx_hello and in addon fx_route_twice/,
    );
    expect(text).toMatch(/fx_missing_dependency addon\.ts:8: depends on "fx_helo".*Did you mean “fx_hello”/);
    expect(text).toMatch(/fx_cycle_a addon\.ts:8: .*fx_cycle_a → fx_cycle_b → fx_cycle_a/);
    for (const part of [
      /block "fx_wrong_parts\.block" names the template "fx_wrong_parts\.absent"/,
      /setting "fx_wrong_parts\.limit" has a default that its own schema refuses/,
      /job "fx_wrong_parts\.sweep" is declared twice/,
      /group "fx_wrong_parts\.editor" implies itself/,
      /service "fx_wrong_parts\.needy" needs service/,
      /access list.*“fx\.absent”/,
    ]) {
      expect(text).toMatch(part);
    }
  });

  test('is not built with a timetable that cannot be read', async () => {
    const hello = await input('fx_hello');
    const often = job('fx_hello.often', { input: z.object({}), cron: 'every day', run: async () => {} });
    const addons = hello.addons.map((addon) => ({ ...addon, definition: { ...addon.definition, jobs: [often] } }));
    const { generation, problems } = await buildApplication({ ...hello, addons });
    expect(generation).toBeUndefined();
    expect(told(problems)).toContain('the timetable "every day" of job "fx_hello.often" cannot be read');
  });

  test('is not built with a helper whose call looks like a value', async () => {
    const hello = await input('fx_hello');
    const now = helper('fx_hello.now', { params: [0, 1], make: () => String });
    const addons = hello.addons.map((addon) => ({ ...addon, definition: { ...addon.definition, helpers: [now] } }));
    const { generation, problems } = await buildApplication({ ...hello, addons });
    expect(generation).toBeUndefined();
    expect(told(problems)).toContain('helper "fx_hello.now" can be called without a value');
  });

  test('is built without the broken addons and those that need them at the start, each with its reason', async () => {
    const inputs = await input(
      'fx_hello',
      'fx_patch_without_target',
      'fx_cycle_a',
      'fx_cycle_b',
      'fx_missing_dependency',
      'fx_layers_a',
      'fx_needs_broken',
    );
    const build = (record: BuildInput['record'], addons: BuildInput['addons']) =>
      buildApplication({ ...inputs, record, addons });
    const { generation, leftOut } = await buildWithoutBroken({ build }, inputs.record, inputs.addons);
    expect(generation?.addons.map(({ name }) => name)).toEqual(['fx_hello', 'fx_layers_a']);
    expect([...leftOut.keys()].sort()).toEqual([
      'fx_cycle_a',
      'fx_cycle_b',
      'fx_missing_dependency',
      'fx_needs_broken',
      'fx_patch_without_target',
    ]);
    expect(leftOut.get('fx_needs_broken')).toMatchObject([
      { message: expect.stringContaining('fx_patch_without_target, which cannot be used') },
    ]);
  });
});
