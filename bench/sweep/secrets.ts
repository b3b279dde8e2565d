import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@pergola/core';
import { rowsOf } from '@pergola/db';
import type { CompiledField, CompiledModel } from '@pergola/orm';
import { models } from '@pergola/orm';
import type { Answer, Client } from '../../tools/testing/index.ts';
import { changed, expectNone, filled, isCall, isSound, type Sweep, type SweepCheck } from './site.ts';

/** A secret field, and the id of an existing record. */
interface Secret {
  readonly model: CompiledModel;
  readonly field: CompiledField;
  readonly id: number;
}
type Call = readonly [model: string, method: string, args: readonly unknown[], kwargs?: object];
type Request = readonly [path: string, values: Readonly<Record<string, unknown>>];

/** Shorter secret texts may occur by chance. */
const shortest = 12;

async function secretsOf({ app }: Sweep): Promise<readonly Secret[]> {
  const { database } = app;
  const { generation } = app.application;
  const secretFields: Secret[] = [];
  for (const model of generation.get(models).models.values()) {
    const [row] = await rowsOf(database.reader, database.knex(model.table).select('id').limit(1));
    for (const field of model.fields.values())
      if (field.secret) secretFields.push({ model, field, id: Number(row?.id ?? 1) });
  }
  return secretFields;
}

/** Values of secret fields, which must not occur in any response. */
async function storedSecrets({ app }: Sweep, secrets: readonly Secret[]): Promise<readonly string[]> {
  const { knex, reader } = app.database;
  const texts = new Set<string>();
  for (const { model, field } of secrets) {
    if (field.column === null) continue;
    for (const row of await rowsOf(reader, knex(model.table).select(field.column).limit(500))) {
      const value = row[field.column];
      // File names and URLs encode some characters, so the longest alphanumeric piece is searched for.
      const [piece = ''] = (typeof value === 'string' ? value.split(/[^A-Za-z0-9]/) : []).toSorted(
        (a, b) => b.length - a.length,
      );
      if (piece.length >= shortest && field.type !== 'datetime') texts.add(piece);
    }
  }
  return [...texts];
}

/** Adds pictures and files to the records, because downloads have file names. */
async function illustrate({ app }: Sweep, secrets: readonly Secret[]): Promise<void> {
  const bytes = readFileSync(join(repository, 'addons/web/static/img/placeholder.png'));
  const file = await app.read((ctx) => ctx.files.putImage(bytes, { name: 'sweep.png' }));
  for (const { model, id } of secrets) {
    for (const { type, name } of model.fields.values()) {
      if (type !== 'binary' && type !== 'image') continue;
      await app
        .write((ctx) =>
          ctx
            .sudo()
            .modelNamed(model.name)
            .write([id], { [name]: file } as never),
        )
        .catch(() => {});
    }
  }
}

/** `[model, path]` of the relations that lead to this model in one or two steps. */
function ways({ app }: Sweep, to: string): [model: string, path: string][] {
  const all = [...app.application.generation.get(models).models.values()];
  const leading = (name: string) =>
    all.flatMap((model) =>
      [...model.fields.values()]
        .filter((field) => field.relation?.to === name && (field.stored || field.relation.kind === 'one2many'))
        .map((field): [string, string] => [model.name, field.name]),
    );
  const direct = leading(to);
  const far = direct.flatMap(([model, path]) =>
    leading(model)
      .slice(0, 3)
      .map(([from, step]): [string, string] => [from, `${step}.${path}`]),
  );
  return [...direct, ...far];
}

/** Every call of Odoo’s clients that names the field, on its own model and through relations of others. */
function callsAbout(sweep: Sweep, { model: { name: model }, field: { name }, id }: Secret): Call[] {
  const domains = [[[name, '!=', false]], ['!', [name, '=', 'x']], ['|', ['id', '=', id], [name, 'like', 'a']]];
  const relationCalls = ways(sweep, model).flatMap(([from, path]): Call[] => [
    [from, 'search_count', [[[`${path}.${name}`, '!=', false]]]],
    [from, 'search', [[]], { order: `${path}.${name} desc` }],
    [from, 'search_read', [[], [`${path}.${name}`]]],
    [from, 'read_group', [[], [], [`${path}.${name}`]]],
    [from, 'read_group', [[], [`${path}.${name}:count_distinct`], []]],
  ]);
  return [
    ...domains.flatMap((domain): Call[] => [
      [model, 'search', [domain]],
      [model, 'search_read', [domain, ['id']]],
      [model, 'search_count', [domain]],
      [model, 'read_group', [domain, [], []]],
      [model, 'name_search', ['', domain]],
    ]),
    [model, 'search_read', [[], [name]]],
    [model, 'read', [[id], ['id', name]]],
    [model, 'search', [[]], { order: `id, ${name} desc` }],
    [model, 'read_group', [[], [], [name]]],
    [model, 'read_group', [[], [], [`${name}:month`]]],
    [model, 'read_group', [[], [`${name}:max`], []]],
    [model, 'read_group', [[], [`${name}:count_distinct`], []]],
    [model, 'create', [{ [name]: 'x' }]],
    [model, 'write', [[id], { [name]: 'x' }]],
    [model, 'copy', [id, { [name]: 'x' }]],
    ...relationCalls,
  ];
}

/** Calls that succeed, but must not reveal the field. */
const tellingCalls = ({ model: { name: model }, field: { name }, id }: Secret): Call[] => [
  [model, 'fields_get', [[name]]],
  [model, 'fields_get', []],
  [model, 'default_get', [[name]]],
  [model, 'preview', [id, {}, { [name]: true }]],
  [model, 'preview', [false, { [name]: 'x' }, { id: true }]],
  [model, 'read', [[id]]],
  [model, 'search_read', [[]]],
  [model, 'search_read', [[], []]],
];

/** URLs and forms that accept field names. */
function requestsAbout({ model: { name: model, fields }, field: { name }, id }: Secret): Request[] {
  const files = [...fields.values()].filter(({ type }) => type === 'binary' || type === 'image');
  const file = Buffer.from(`.id,${name}\n${id},x\n`).toString('base64');
  const exportInput = { model, fields: [name], domain: [], format: 'csv' };
  return [
    ...[...files.map((file) => file.name), name, 'image', 'datas'].map(
      (field): Request => ['/web/binary/saveas', { model, field, id, filename_field: name }],
    ),
    ['/web/binary/saveas', { model, field: name, id }],
    ['/web/binary/image', { model, field: name, id }],
    [`/web/image/${model}/${id}/${name}`, {}],
    ['/web/dataset/search_read', { model, fields: [name] }],
    ['/web/dataset/search_read', { model, fields: ['id'], sort: name }],
    ['/web/dataset/search_read', { model, fields: ['id'], domain: [[name, '!=', false]] }],
    ['/web/dataset/resequence', { model, ids: [id], field: name }],
    ['/web/backend/export', exportInput],
    ['/web/backend/export', { ...exportInput, forImport: true }],
    ['/web/backend/export', { ...exportInput, fields: ['id'], order: name }],
    ['/web/backend/export', { ...exportInput, fields: ['id'], domain: [[name, '!=', false]] }],
    ['/web/backend/save', { model, id, values: { [name]: 'x' }, seen: { [name]: 'y' } }],
    ['/web/backend/import/read', { model, file }],
    ['/web/backend/import/run', { model, file, mapping: ['.id', name], dryRun: false }],
    ['/web/backend/model', { model }],
    ['/website/editor/open', { lang: 'en_US', elements: [{ model, id, field: name }] }],
    ['/website/editor/history', { model, id, field: name }],
    ['/website/editor/save', { lang: 'en_US', elements: [{ model, id, field: name, revision: '', value: 'x' }] }],
  ];
}

const post = (sweep: Sweep, client: Client, path: string, params: object): Promise<Answer> =>
  client.post(path, {
    body: JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params }),
    headers: { 'Content-Type': 'application/json', Origin: sweep.app.url },
  });

function send(sweep: Sweep, client: Client, [path, values]: Request): Promise<Answer> {
  const route = sweep.routes.find((candidate) => candidate.path === path);
  if (route && isCall(route)) return post(sweep, client, path, values);
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return client.get(`${path}?${new URLSearchParams(Object.fromEntries(texts))}`);
}

/** This group field redirects salespeople to the customer's quotation page, whose URL contains the token. */
const quoteUrl = /"quote_url": ?"[^"]*"/g;

/** Query parameters that pass field names. */
const byName = ['field', 'fields', 'order', 'orderby', 'sort', 'filename_field', 'groupby', 'name', 'column', 'by'];

const secrets: SweepCheck = {
  id: 'C28',
  title: 'Every secret field, by every way to name it, as visitor, customer, editor and administrator',
  async run(sweep) {
    const { app, routes } = sweep;
    const all = await secretsOf(sweep);
    const texts = await storedSecrets(sweep, all);
    await illustrate(sweep, all);
    const clients = [sweep.stranger(), sweep.customer, await app.as('editor'), sweep.admin];
    const tablesBefore = await sweep.tables();
    const [allowedCalls, leaks, failed] = [[] as string[], [] as string[], [] as string[]];
    let [tryCount, responseCount] = [0, 0];
    const inspect = (response: Answer, label: string, names: string | null) => {
      responseCount += 1;
      const header = JSON.stringify([...response.headers]);
      const visibleText = response.text.replaceAll(quoteUrl, '');
      if (texts.some((text) => visibleText.includes(text) || header.includes(text))) leaks.push(label);
      // The error for an unknown field repeats the name as the caller sent it.
      if (names && visibleText.replaceAll(`"${names}":"There is no such field."`, '').includes(`"${names}":`))
        leaks.push(`${label} names it`);
      if (!isSound(response) || /core\.fault/.test(response.text)) failed.push(label);
    };
    for (const secret of all) {
      const { model, field } = secret;
      const calls = callsAbout(sweep, secret);
      for (const [clientIndex, client] of clients.entries()) {
        const call = ([modelName, method, args, kwargs = {}]: Call) =>
          post(sweep, client, '/web/dataset/call_kw', { model: modelName, method, args, kwargs });
        for (const attempt of calls) {
          tryCount += 1;
          const response = await call(attempt);
          const label = `${clientIndex} ${field.name} ${JSON.stringify(attempt).slice(0, 90)}`;
          inspect(response, label, null);
          if (!response.text.includes('"error"')) allowedCalls.push(label);
        }
        for (const attempt of tellingCalls(secret))
          inspect(await call(attempt), `${clientIndex} ${JSON.stringify(attempt)}`, field.name);
        for (const request of requestsAbout(secret))
          inspect(await send(sweep, client, request), `${clientIndex} ${JSON.stringify(request).slice(0, 120)}`, null);
        // Covers any other route that accepts a model and a field, including future ones.
        for (const route of routes.filter(({ path, method }) => method === 'GET' && !/logout|session/.test(path))) {
          if (clientIndex % 2) continue;
          const names = Object.fromEntries(byName.map((name) => [name, field.name]));
          const values = { model: model.name, object: model.name, res_model: model.name, id: secret.id, ...names };
          inspect(
            await sweep.ask(client, route, filled(route.path, field.name), values),
            `${route.path} ${field.name}`,
            null,
          );
        }
      }
    }
    return [
      expectNone(`calls that name one of ${all.length} secret fields and succeeded`, tryCount, allowedCalls),
      expectNone(`responses that contain one of ${texts.length} secrets`, responseCount, leaks),
      expectNone('failures', responseCount, failed),
      expectNone('tables changed', tablesBefore.size, changed(tablesBefore, await sweep.tables())),
    ];
  },
};

export const secretChecks: readonly SweepCheck[] = [secrets];
