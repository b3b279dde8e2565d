import { delimiters, encodings, FileReader, type Sheet, sourceLabels } from '@pergola/web';
import { type Ctx, errorText, InvalidInput, reply, route, z } from 'pergola';
import { MANAGER } from '../security.ts';
import { isFixtureHeading } from '../services/fixture-list.ts';
import { Fixtures } from '../services/fixtures.ts';
import { t } from '../texts.ts';

const forManagers = { auth: 'user', groups: [MANAGER] } as const;
const MB = 1024 * 1024;

const show = route.page('/matchs/import', { ...forManagers, name: 'dribblo.import' }, ({ ctx, render }) =>
  render('dribblo.import_page', { makeTeams: true, makeVenues: true, ...lists(ctx, {}) }),
);

/** An empty choice is detected from the file. */
function chosen<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

const body = z.object({
  make_teams: z.stringbool().optional().default(false),
  make_venues: z.stringbool().optional().default(false),
  date_order: chosen(z.enum(['day', 'month'])),
  encoding: chosen(z.enum(encodings)),
  delimiter: chosen(z.enum(delimiters)),
  sheet: chosen(z.coerce.number().int().min(1).max(1_000)),
  header_row: chosen(z.coerce.number().int().min(1).max(2_000_000)),
});

/** Imports a fixture list. If it contains an error, nothing is written and the page lists all invalid lines. */
const take = route.form(
  '/matchs/import',
  {
    ...forManagers,
    name: 'dribblo.take_fixtures',
    page: '/matchs/import',
    writes: true,
    limit: { bytes: 2 * MB },
    files: { file: MB },
    body,
    prepare: async ({ ctx, body: { encoding, delimiter, sheet, header_row }, files }) => {
      const [file] = files.file ?? [];
      if (!file || file.content.byteLength === 0) return { message: t(ctx, 'Choose a file.') };
      const choice = { encoding, delimiter, sheet: sheet && sheet - 1, headerRow: header_row };
      try {
        return await ctx.get(FileReader).read(file.content, choice, isFixtureHeading);
      } catch (error) {
        if (error instanceof InvalidInput) return { message: errorText(ctx, error) };
        throw error;
      }
    },
  },
  async ({ ctx, body: choice, prepared: sheet, render }) => {
    const creation = { makeTeams: choice.make_teams, makeVenues: choice.make_venues };
    const pageValues = { ...choice, ...creation, ...lists(ctx, choice), noindex: true };
    if ('message' in sheet) return render('dribblo.import_page', { ...pageValues, ...sheet }, { status: 422 });
    const { date_order: order } = choice;
    const dayFirst = order === undefined ? null : order === 'day';
    const outcome = await ctx.get(Fixtures).import(sheet, { dayFirst, ...creation });
    const errors = outcome.errors.map(({ line, text, params }) => ({ line, text: t(ctx, text, params) }));
    const values = {
      ...pageValues,
      ...outcome,
      errors,
      done: errors.length === 0,
      teamNames: outcome.teams.join(', '),
      venueNames: outcome.venues.join(', '),
      readAs: readAs(ctx, sheet),
    };
    return render('dribblo.import_page', values, { status: errors.length === 0 ? 200 : 422 });
  },
);

/** Describes how the file was interpreted. */
function readAs(ctx: Ctx, { source: { encoding, delimiter, sheets, sheet, headerRow } }: Sheet): string {
  const labels = sourceLabels(ctx);
  return encoding !== null && delimiter !== null
    ? t(ctx, 'Read as {encoding}, delimiter: {delimiter}, headers in row {row}.', {
        encoding: labelOf(labels.encodings, encoding),
        delimiter: labelOf(labels.delimiters, delimiter),
        row: headerRow,
      })
    : t(ctx, 'Read from the sheet “{sheet}”, headers in row {row}.', {
        sheet: sheets[sheet]?.name ?? '',
        row: headerRow,
      });
}

type Labels = readonly (readonly [value: string, label: string])[];

function labelOf(labels: Labels, value: string): string {
  return labels.find(([option]) => option === value)?.[1] ?? value;
}

/** Options of the form. */
function lists(ctx: Ctx, choice: Partial<z.infer<typeof body>>) {
  const labels = sourceLabels(ctx);
  const options = (choices: Labels, chosenValue: string | undefined) =>
    choices.map(([value, label]) => ({ value, label, isChosen: value === chosenValue }));
  return {
    sheet: choice.sheet ?? null,
    header_row: choice.header_row ?? null,
    encodings: options(labels.encodings, choice.encoding),
    delimiters: options(labels.delimiters, choice.delimiter),
    isDayFirst: choice.date_order === 'day',
    isMonthFirst: choice.date_order === 'month',
  };
}

const sample = [
  'mnbr;date;time;home;visitor;competition;phase;venue',
  '101;21/11/2026;15:00;AS Val-Fleuri Seniors;US Pont-Neuf;;Journée 8;',
  '102;22/11/2026;10h30;FC Bellerive;AS Val-Fleuri U13;;Journée 8;',
  '',
].join('\r\n');

/** Template file. */
const example = route.http(
  '/matchs/import/example.csv',
  { ...forManagers, name: 'dribblo.import_example', method: 'GET' },
  () =>
    reply.body(`\uFEFF${sample}`, 'text/csv; charset=utf-8', {
      'content-disposition': 'attachment; filename="fixtures.csv"',
    }),
);

export const importRoutes = [show, take, example];
