import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parts } from '../../../parts.ts';
import { repository } from '../../base/addon-folders.ts';
import { loadConfig } from '../../base/config.ts';
import { describeProblem } from '../../base/errors.ts';
import { createLog } from '../../base/log.ts';
import { openApplication } from '../application.ts';

it('a site without the part for mail names the addons that need it, and serves the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'without-'));
  const listed = parts.filter(({ name }) => name !== 'mail');
  const env = { DATABASE_URL: `sqlite:${join(folder, 'site.db')}`, DATA_DIR: folder, BASE_URL: 'http://localhost' };
  const roots = ['fx_mail', 'fx_shared_columns', 'fx_host'].map((name) =>
    join(repository, 'tools/testing/fixtures', name),
  );
  const application = await openApplication(loadConfig(env, listed), {
    log: createLog('silent'),
    parts: listed,
    roots,
    install: ['fx_host', 'fx_mail'],
  });
  try {
    expect(application.discovery.problems.map(describeProblem)).toEqual([
      expect.stringMatching(/^fx_mail addon\.ts:\d+: `mails` is nothing an addon has\. Remove it, or list the part/),
    ]);
    expect(application.generation.addons.map(({ name }) => name)).toEqual(['fx_host']);
    expect(await application.asSystem('read', async (ctx) => 'mail' in ctx)).toBe(false);
  } finally {
    await application.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
