import { app, type Ctx, InvalidInput, NotAllowed, NotFound, route, z } from 'pergola';
import { fromBase64 } from 'pergola/http';
import { nameChanges, withoutControls } from 'pergola/kernel';
import type { ImportPreview, ImportTarget, ModelInfo } from '../backend/types.ts';
import { exportTable } from '../services/backend/export.ts';
import { toCsv, toXlsx } from '../services/backend/export-files.ts';
import { describeColumn, writingOf } from '../services/backend/import/columns.ts';
import { previewLine, type ShownCell } from '../services/backend/import/preview.ts';
import { FileReader, MAX_BYTES, type Sheet } from '../services/backend/import/read-file.ts';
import { Relations } from '../services/backend/import/relations.ts';
import { runImport } from '../services/backend/import/run.ts';
import { sourceLabels } from '../services/backend/import/source-labels.ts';
import { delimiters, encodings, type SourceChoice } from '../services/backend/import/table.ts';
import { names, suggest, targetOf, targetsOf } from '../services/backend/import/targets.ts';
import { modelInfo } from '../services/backend/model-info.ts';

/** Base64 adds a third to the file size. */
const limit = { bytes: Math.ceil((MAX_BYTES * 4) / 3) + 200_000 };
const modelName = z.string().min(1).max(64);
const employee = { auth: 'user', groups: ['base.group_user'] } as const;

function needModel(ctx: Ctx, name: string): ModelInfo {
  const info = modelInfo(ctx, name);
  if (info) return info;
  throw new NotFound('Unknown model “{model}”.', { code: 'core.no_model', params: { model: name } });
}

const exportRoute = route.rpc(
  '/web/backend/export',
  {
    ...employee,
    name: 'web.export',
    input: z.object({
      model: modelName,
      fields: z.array(z.string().max(64)).min(1).max(200),
      format: z.enum(['csv', 'xlsx']),
      domain: z.array(z.unknown()).max(12_000),
      order: z.string().max(500).default(''),
      forImport: z.boolean().default(false),
    }),
    rate: { calls: 30, seconds: 60, by: 'user' },
  },
  async ({ ctx, input: { model, fields, format, domain, order, forImport } }) => {
    const info = needModel(ctx, model);
    const table = await exportTable(ctx, { info, fields, domain, order, forImport });
    const content = format === 'csv' ? toCsv(table) : await toXlsx(table);
    return { name: `${model} ${ctx.today()}.${format}`, content: content.toString('base64') };
  },
);

const cell = z.union([z.string().max(2_000), z.number(), z.null()]);

/** Exports a table as shown on a screen. The client sends its content; nothing is read from the database. */
const exportShown = route.rpc(
  '/web/backend/export/table',
  {
    ...employee,
    name: 'web.export_table',
    limit,
    input: z.object({
      title: z.string().min(1).max(300),
      format: z.enum(['csv', 'xlsx']),
      headers: z.array(z.string().max(400)).min(1).max(1_000),
      rows: z.array(z.array(cell).max(1_000)).max(20_000),
    }),
    rate: { calls: 30, seconds: 60, by: 'user' },
  },
  async ({ ctx, input: { title, format, ...table } }) => {
    const content = format === 'csv' ? toCsv(table) : await toXlsx(table);
    const name = withoutControls(title, ' ')
      .replace(/[\\/:*?"<>|]+/g, ' ')
      .slice(0, 80);
    return { name: `${name} ${ctx.today()}.${format}`, content: content.toString('base64') };
  },
);

const file = z
  .string()
  .max(limit.bytes)
  .transform((text, { addIssue }) => {
    const content = fromBase64(text);
    if (!content) addIssue('Send the file content as base64.');
    return content ?? z.NEVER;
  });

function needCreatable(ctx: Ctx, model: string): ModelInfo {
  const info = needModel(ctx, model);
  if (info.may.create || info.may.write) return info;
  throw new NotAllowed('You don’t have permission to import “{label}” records.', {
    code: 'web.import_denied',
    params: { label: info.label },
  });
}

const SAMPLE = 8;
const SAMPLE_TEXT = 120;

/** How to read the file; missing options are detected. */
const source = z
  .object({
    encoding: z.enum(encodings).optional(),
    delimiter: z.enum(delimiters).optional(),
    sheet: z.number().int().min(0).max(1_000).optional(),
    headerRow: z.number().int().min(1).max(2_000_000).optional(),
  })
  .default({});
const decimal = z.enum(['.', ',']).nullable().default(null);
const dayFirst = z.boolean().nullable().default(null);
/** Formats of columns. `columns` has an entry for each; the other options apply to columns without one. */
const writing = { columns: z.array(z.object({ decimal, dayFirst })).max(200).default([]), decimal, dayFirst };
const mapping = z.array(z.string().max(140)).min(1).max(200);

function writingFor({ mapping: ids, columns, ...all }: WritingInput) {
  return ids.map((_, index) => ({
    decimal: columns[index]?.decimal ?? all.decimal,
    dayFirst: columns[index]?.dayFirst ?? all.dayFirst,
  }));
}

interface Writing {
  readonly decimal: '.' | ',' | null;
  readonly dayFirst: boolean | null;
}
interface WritingInput extends Writing {
  readonly mapping: readonly string[];
  readonly columns: readonly Writing[];
}

/** Returns the import targets with labels in each language of the site, because headings may be in any of them. */
function labelledTargets(ctx: Ctx, model: string): readonly ImportTarget[] {
  const languages = new Set([ctx.lang, ...ctx.get(app.languages)]);
  return [...languages].flatMap((lang) => {
    const localized = ctx.as({ lang });
    const info = modelInfo(localized, model);
    return info ? targetsOf(localized, info) : [];
  });
}

function readSheet(ctx: Ctx, model: string, content: Buffer, choice: SourceChoice): Promise<Sheet> {
  const targets = labelledTargets(ctx, model);
  return ctx.get(FileReader).read(content, choice, (text) => names(text, targets));
}

const readRoute = route.rpc(
  '/web/backend/import/read',
  {
    ...employee,
    name: 'web.import_read',
    limit,
    input: z.object({ model: modelName, file, source, mapping: mapping.optional(), ...writing }),
    rate: { calls: 120, seconds: 60, by: 'user' },
  },
  async ({ ctx, input }): Promise<ImportPreview> => {
    const info = needCreatable(ctx, input.model);
    const sheet = await readSheet(ctx, info.name, input.file, input.source);
    const targets = targetsOf(ctx, info);
    // Another heading row or delimiter produces other columns.
    const ids =
      input.mapping?.length === sheet.headers.length
        ? input.mapping
        : suggest(sheet.headers, labelledTargets(ctx, info.name));
    const chosenFormats = writingFor({ ...input, mapping: ids });
    const columns = ids.map((id, index) => {
      const cells = sheet.rows.map((row) => row[index] ?? null);
      const target = targetOf(info, id);
      const field = target?.field ?? null;
      const writing = writingOf(cells, field, chosenFormats[index] ?? { decimal: null, dayFirst: null });
      return { target, writing, description: describeColumn(ctx, cells, field, writing) };
    });
    const sample: ShownCell[][] = [];
    const relations = new Relations(ctx, false);
    for (const row of sheet.rows.slice(0, SAMPLE))
      sample.push(await previewLine(ctx, { info, relations }, row, columns));
    return {
      headers: sheet.headers,
      sample: sample.map((row) => row.map(({ text }) => text.slice(0, SAMPLE_TEXT))),
      problems: sample.map((row) => row.map(({ problem }) => problem)),
      count: sheet.rows.length,
      targets,
      mapping: ids,
      columns: columns.map(({ description }) => description),
      source: { ...sheet.source, labels: sourceLabels(ctx) },
      timezone: columns.some(({ target }) => target?.field?.kind === 'datetime' && !target.field.timezoneField)
        ? ctx.timezone
        : null,
    };
  },
);

const runRoute = route.rpc(
  '/web/backend/import/run',
  {
    ...employee,
    name: 'web.import_run',
    limit,
    input: z.object({
      model: modelName,
      file,
      source,
      mapping,
      ...writing,
      makeMissing: z.boolean().default(false),
      skipFaulty: z.boolean().default(false),
      dryRun: z.boolean(),
      confirmed: z.boolean().default(false),
      changeKey: z.string().max(64).optional(),
    }),
    rate: { calls: 30, seconds: 60, by: 'user' },
    // Parsing is slow and belongs before the transaction.
    prepare: ({ ctx, input }): Promise<Sheet> =>
      readSheet(ctx, needCreatable(ctx, input.model).name, input.file, input.source),
    writes: true,
  },
  ({ ctx, input, prepared: sheet }) => {
    const { model, makeMissing, skipFaulty, dryRun, confirmed: isConfirmed } = input;
    const info = needCreatable(ctx, model);
    if (input.mapping.length !== sheet.headers.length)
      throw new InvalidInput('Choose a field for each column, or skip it.', {
        code: 'web.import_mapping',
      });
    nameChanges(ctx, { clientKey: input.changeKey });
    const order = { info, sheet, mapping: input.mapping, writing: writingFor(input) };
    return runImport(ctx, { ...order, makeMissing, skipFaulty, dryRun, isConfirmed });
  },
);

export const transferRoutes = [exportRoute, exportShown, readRoute, runRoute] as const;
