import { reply, route, z } from '#core';
import { MANAGER } from '../security.ts';
import { Fixtures } from '../services/fixtures.ts';
import { textOfFile } from '../services/fixtures-csv.ts';

const forManagers = { auth: 'user', groups: [MANAGER] } as const;
const MB = 1024 * 1024;

const show = route.page('/matchs/import', { ...forManagers, name: 'dribblo.import' }, ({ render }) =>
  render('dribblo.import_page', { makeTeams: true }),
);

/** Takes a fixture list in. With an error in it nothing is written, and the page names every line. */
const take = route.form(
  '/matchs/import',
  {
    ...forManagers,
    name: 'dribblo.take_fixtures',
    writes: true,
    limit: { bytes: 2 * MB },
    files: { file: MB },
    body: z.object({ make_teams: z.stringbool().optional().default(false) }),
  },
  async ({ ctx, body, files, render }) => {
    const [file] = files.file ?? [];
    const about = { makeTeams: body.make_teams, noindex: true };
    if (!file || file.content.byteLength === 0) {
      return render('dribblo.import_page', { ...about, message: ctx.t('Choose a file first.') }, { status: 422 });
    }
    const outcome = await ctx.get(Fixtures).import(textOfFile(file.content), body.make_teams);
    const errors = outcome.errors.map(({ line, text, params }) => ({ line, text: ctx.t(text, params) }));
    const values = { ...about, ...outcome, errors, done: errors.length === 0, teamNames: outcome.teams.join(', ') };
    return render('dribblo.import_page', values, { status: errors.length === 0 ? 200 : 422 });
  },
);

const sample = [
  'mnbr;date;time;home;visitor;competition;phase;venue',
  '101;21/11/2026;15:00;AS Val-Fleuri Seniors;US Pont-Neuf;;Journée 8;',
  '102;22/11/2026;10h30;FC Bellerive;AS Val-Fleuri U13;;Journée 8;',
  '',
].join('\r\n');

/** A file to begin with. */
const example = route.http(
  '/matchs/import/example.csv',
  { ...forManagers, name: 'dribblo.import_example', method: 'GET' },
  () =>
    reply.body(`\uFEFF${sample}`, 'text/csv; charset=utf-8', {
      'content-disposition': 'attachment; filename="fixtures.csv"',
    }),
);

export const importRoutes = [show, take, example];
