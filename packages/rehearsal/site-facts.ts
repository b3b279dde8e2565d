import { type Application, values as appValues, type Ctx } from '@pergola/core';
import { type Database, database, quoted } from '@pergola/db';
import { routes } from '@pergola/http';
import { jobs } from '@pergola/jobs';
import { listMailTexts, mailText, previewMailText } from '@pergola/mailer';
import { type ModelRegistry, modelRegistry, tablesOf } from '@pergola/orm';
import { htmlFacts } from './page-facts.ts';
import type { MailFacts, SiteFacts, TableFacts } from './types.ts';

/** Reads what a site has besides its pages. */
export async function siteFacts(application: Application): Promise<SiteFacts> {
  const { generation } = application;
  const registry = generation.get(modelRegistry);
  return {
    jobs: Object.fromEntries(generation.get(jobs).map(({ name, cron }) => [name, cron ?? ''])),
    mails: await application.asSystem('read', (ctx) => mailFacts(ctx, application.config.baseUrl)),
    routes: Object.fromEntries(
      generation
        .get(routes)
        .list()
        .map(({ method, path, auth, groups }) => [`${method} ${path}`, callersOf(auth, groups)]),
    ),
    access: accessFacts(registry),
    tables: await tableFacts(application.get(database), registry),
  };
}

function callersOf(auth: string, groups: readonly string[]): string {
  if (groups.length > 0) return groups.toSorted().join(', ');
  return auth === 'user' ? 'signed in' : '*';
}

function accessFacts({ access, models }: ModelRegistry): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const [model, byGroup] of access.rights)
    for (const [group, operations] of byGroup)
      if (operations.size > 0) facts[`${model} for ${group}`] = [...operations].toSorted().join(', ');
  for (const [model, rules] of access.rules)
    for (const { id, groups, operations, domain } of rules) {
      const callers = groups.length > 0 ? groups.join(', ') : '*';
      facts[`rule ${id} of ${model}`] = `${[...operations].toSorted().join(', ')} for ${callers}: ${domain}`;
    }
  for (const model of models.values())
    for (const { name, groups } of model.fields.values())
      if (groups.length > 0) facts[`field ${model.name}.${name}`] = groups.toSorted().join(', ');
  return facts;
}

async function mailFacts(ctx: Ctx, base: string): Promise<Record<string, MailFacts>> {
  const facts: Record<string, MailFacts> = {};
  for (const { name } of await listMailTexts(ctx))
    for (const lang of ctx.get(appValues.languages)) facts[`${name} (${lang})`] = await mailIn(ctx, name, lang, base);
  return facts;
}

async function mailIn(ctx: Ctx, name: string, lang: string, base: string): Promise<MailFacts> {
  try {
    const { subject, html, faults } = await previewMailText(ctx, name, lang, await mailText(ctx, name, lang));
    return { faults: faults.map(({ text }) => text), texts: [subject, ...htmlFacts(html, base).texts] };
  } catch (error) {
    return { faults: [Error.isError(error) ? error.message : String(error)], texts: [] };
  }
}

/** Groups that groups include: follows from what the enabled addons declare. */
const DECLARED_RELATION = 'res_groups_implied_rel';
/** Written with every change of a row. */
const STAMPS = new Set(['create_date', 'create_uid', 'write_date', 'write_uid']);

async function tableFacts(opened: Database, registry: ModelRegistry): Promise<Record<string, TableFacts>> {
  const modelNames = new Map([...registry.models.values()].map(({ table, name }) => [table, name]));
  const present = await opened.schema.introspect();
  const known = new Set(tablesOf(registry).map(({ name }) => name));
  const facts: Record<string, TableFacts> = {};
  for (const { name, columns } of present) {
    if (name === DECLARED_RELATION) continue;
    // Tables of removed models still have rows.
    if (!known.has(name) && /^(core|ir)_/.test(name)) continue;
    const compared = columns.filter((column) => !STAMPS.has(column.name) && column.kind !== 'words');
    const counts = compared.flatMap((column, index) => [
      `count(${quoted(column.name)}) as v${index}`,
      `${sizeOf(column.kind, quoted(column.name))} as s${index}`,
    ]);
    const sql = `select ${['count(*) as total', ...counts].join(', ')} from ${quoted(name)}`;
    const [row = {}] = (await opened.reader.query({ sql, bindings: [] })).rows;
    facts[name] = {
      model: modelNames.get(name) ?? name,
      rows: Number(row.total),
      columns: Object.fromEntries(
        compared.map((column, index) => [
          column.name,
          { values: Number(row[`v${index}`]), size: Number(row[`s${index}`] ?? 0) },
        ]),
      ),
    };
  }
  return facts;
}

/** A figure that changes if values are overwritten: their sum, or the length of texts. */
function sizeOf(kind: string, column: string): string {
  if (kind === 'text') return `sum(length(${column}))`;
  if (kind === 'integer' || kind === 'float') return `sum(${column})`;
  return '0';
}
