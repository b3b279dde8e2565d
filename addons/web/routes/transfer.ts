import { type Ctx, InvalidInput, NotAllowed, NotFound, route, withoutControls, z } from '#core';
import type { ImportPreview, ModelInfo } from '../backend/types.ts';
import { exportTable } from '../services/backend/export.ts';
import { toCsv, toXlsx } from '../services/backend/export-files.ts';
import { textOf } from '../services/backend/import/cells.ts';
import { FileReader, MOST_BYTES, type Sheet } from '../services/backend/import/read-file.ts';
import { runImport } from '../services/backend/import/run.ts';
import { suggest, targetsOf } from '../services/backend/import/targets.ts';
import { modelInfo } from '../services/backend/model-info.ts';

/** A file as text takes a third more. */
const limit = { bytes: Math.ceil((MOST_BYTES * 4) / 3) + 200_000 };
const modelName = z.string().min(1).max(64);
const employee = { auth: 'user', groups: ['base.group_user'] } as const;

function needModel(ctx: Ctx, name: string): ModelInfo {
  const info = modelInfo(ctx, name);
  if (info) return info;
  throw new NotFound('There is no model “{model}”.', { code: 'core.no_model', params: { model: name } });
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

/** What is on a screen as a table, as a file. Whoever sends it has it in view; nothing is read for it. */
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
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'This is not a file: send its content as base64.');

function needCreatable(ctx: Ctx, model: string): ModelInfo {
  const info = needModel(ctx, model);
  if (info.may.create || info.may.write) return info;
  throw new NotAllowed('You may not import records of “{label}”.', {
    code: 'web.import_denied',
    params: { label: info.label },
  });
}

const SAMPLE = 8;
const SAMPLE_TEXT = 120;

const readRoute = route.rpc(
  '/web/backend/import/read',
  {
    ...employee,
    name: 'web.import_read',
    limit,
    input: z.object({ model: modelName, file }),
    rate: { calls: 30, seconds: 60, by: 'user' },
  },
  async ({ ctx, input }): Promise<ImportPreview> => {
    const info = needCreatable(ctx, input.model);
    const sheet = await ctx.get(FileReader).read(Buffer.from(input.file, 'base64'), SAMPLE);
    const targets = targetsOf(ctx, info);
    return {
      headers: sheet.headers,
      sample: sheet.rows.map((row) =>
        sheet.headers.map((_, index) => textOf(row[index] ?? null).slice(0, SAMPLE_TEXT)),
      ),
      count: sheet.count,
      targets,
      mapping: suggest(sheet.headers, targets),
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
      mapping: z.array(z.string().max(140)).min(1).max(200),
      dayFirst: z.boolean().default(true),
      decimal: z.enum(['.', ',']).nullable().default(null),
      makeMissing: z.boolean().default(false),
      skipFaulty: z.boolean().default(false),
      dryRun: z.boolean(),
    }),
    rate: { calls: 30, seconds: 60, by: 'user' },
    // Reading takes its time and belongs before the transaction.
    prepare: ({ ctx, input }): Promise<Sheet> => {
      needCreatable(ctx, input.model);
      return ctx.get(FileReader).read(Buffer.from(input.file, 'base64'));
    },
    writes: true,
  },
  ({ ctx, input, prepared: sheet }) => {
    const { model, mapping, dayFirst, decimal, makeMissing, skipFaulty, dryRun } = input;
    const info = needCreatable(ctx, model);
    if (mapping.length !== sheet.headers.length)
      throw new InvalidInput('Say for each column what it means, or that it is left out.', {
        code: 'web.import_mapping',
      });
    const writing = { dayFirst, decimal, timezone: ctx.timezone };
    return runImport(ctx, { info, sheet, mapping, writing, makeMissing, skipFaulty, dryRun });
  },
);

export const transferRoutes = [exportRoute, exportShown, readRoute, runRoute];
