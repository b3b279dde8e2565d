import { anonymousIdentity, identityOf } from '@pergola/http';
import type { CompiledModel } from '@pergola/orm';
import { models } from '@pergola/orm';
import type { Client } from '../../tools/testing/index.ts';
import { changed, expectNone, leak, patiently, type Sweep, type SweepCheck } from './site.ts';

/** A kind of caller with its groups. */
interface Role {
  readonly name: string;
  readonly groups: ReadonlySet<string>;
  /** Own email address, which may appear in responses. */
  readonly email: string;
  client(): Client;
}

/** Names that aren't public methods of any model, including ones inherited from JavaScript or known from Python. */
const privateNames = [
  '_search',
  '_read',
  '__proto__',
  '__class__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'sudo',
  'with_user',
  'browse',
  'ctx',
  'find',
  'first',
  'beforeWrite',
  'afterCreate',
  'validate',
  'defaults',
  'displayNames',
];
/** Context keys that raise privileges in other systems. */
const lifting = [
  { su: true },
  { uid: 1 },
  { sudo: true, uid: 2, bin_size: true },
  { tracking_disable: true, force_company: 1, allowed_company_ids: [1, 2, 3] },
];

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly data?: { readonly message?: string } };
  readonly text: string;
  readonly status: number;
}

async function ask(
  client: Client,
  model: string,
  method: string,
  args: readonly unknown[],
  kwargs: object = {},
): Promise<Reply> {
  const params = { model, method, args, kwargs };
  const response = await patiently(() =>
    client.post('/web/dataset/call_kw', {
      body: JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params }),
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    }),
  );
  const body = response.text.startsWith('{') ? response.json<{ result?: unknown; error?: Reply['error'] }>() : {};
  return { ...body, text: response.text, status: response.status };
}

async function rolesOf(sweep: Sweep): Promise<readonly Role[]> {
  const userOf = (login: string) =>
    sweep.app.read(async (ctx) => {
      const user = await ctx.modelNamed('res.users').first([['login', '=', login]], { select: { email: true } });
      const groups = user && (await identityOf(ctx, user.id))?.groups;
      return { groups: groups ?? new Set<string>(), email: String(user?.email ?? '') };
    });
  const editor = await sweep.app.as('editor');
  const visitor = await sweep.app.read(async (ctx) => anonymousIdentity(ctx));
  return [
    { name: 'visitor', groups: visitor?.groups ?? new Set(), email: '', client: () => sweep.stranger() },
    { name: 'customer', ...(await userOf('portal')), client: () => sweep.customer },
    { name: 'editor', ...(await userOf('editor')), client: () => editor },
  ];
}

/** Rights according to the addons' access lists, computed from their definitions independently of the code that enforces them. */
function rightsOf({ app }: Sweep, model: string, { groups }: Role): string {
  const lists = app.application.generation.addons.flatMap(({ definition }) => definition.access ?? []);
  return lists
    .filter((list) => list.model === model)
    .flatMap(({ rights }) => Object.entries(rights))
    .map(([group, letters]) => (group === '*' || groups.has(group) ? letters : ''))
    .join('');
}

/** Fields that a role must not see: secret fields, and fields of groups it isn't in. */
const hiddenFields = (model: CompiledModel, { groups }: Role): string[] =>
  [...model.fields.values()]
    .filter((field) => field.secret || (field.groups.length > 0 && !field.groups.some((group) => groups.has(group))))
    .map(({ name }) => name);

type Call = readonly [method: string, args: readonly unknown[], kwargs?: object];

const reads: readonly Call[] = [
  ['search_read', [[], ['id']]],
  ['search', [[]]],
  ['search_count', [[]]],
  ['read', [[1], ['id']]],
  ['read_group', [[], [], []]],
  ['name_search', ['']],
  ['name_get', [[1]]],
  ['exists', [[1]]],
  ['preview', [1, {}, { id: true }]],
];

/** Every call that can reveal one field. */
const byField = (name: string): readonly Call[] => [
  ['search_read', [[], [name]], { limit: 1 }],
  ['read', [[1], [name]]],
  ['search', [[[name, '!=', 'x']]]],
  ['search_count', [[[name, '=', false]]]],
  ['search', [[]], { order: name }],
  ['read_group', [[], [], [name]]],
  ['create', [{ [name]: 'x' }]],
  ['write', [[1], { [name]: 'x' }]],
  ['preview', [false, { [name]: 'x' }, { [name]: true }]],
];

/** Whether a call had an effect: `exists` returns only readable ids, and `preview` reports a refusal in its result. */
function isAnswered(method: string, { error, result }: Reply): boolean {
  if (error) return false;
  if (method === 'exists') return Array.isArray(result) && result.length > 0;
  return method !== 'preview' || (result as { values: unknown }).values !== false;
}

/** Calls that must be refused for this model and role. */
function forbidden(model: CompiledModel, role: Role, rights: string, publicMethods: ReadonlySet<string>): Call[] {
  const calls: Call[] = privateNames.filter((name) => !publicMethods.has(name)).map((name) => [name, [[1]]] as const);
  if (!rights.includes('r')) calls.push(...reads);
  if (!rights.includes('w'))
    calls.push(['write', [[1], { name: 'Eve' }]], ['write', [[1], {}]], ['preview', [1, { name: 'Eve' }, {}]]);
  if (!rights.includes('c'))
    calls.push(
      ...([
        ['create', [{ name: 'Eve' }]],
        ['preview', [false, { name: 'Eve' }, {}]],
        ['copy', [1]],
        ['name_create', ['Eve']],
      ] as const),
    );
  if (!rights.includes('d')) calls.push(['unlink', [[1]]]);
  for (const name of [...hiddenFields(model, role), 'no_such_field', 'constructor']) calls.push(...byField(name));
  for (const name of ['id', 'create_uid', 'write_date']) calls.push(['write', [[1], { [name]: 1 }]]);
  return calls;
}

const allowed: SweepCheck = {
  id: 'C28',
  title: 'Every model, by every call of Odoo’s clients, as visitor, customer and editor',
  async run(sweep) {
    const { generation } = sweep.app.application;
    const roles = await rolesOf(sweep);
    const tablesBefore = await sweep.tables();
    const [allowedCalls, leaks, lifted, failed] = [[] as string[], [] as string[], [] as string[], [] as string[]];
    let [tryCount, rightCount, lifts] = [0, 0, 0];
    for (const model of generation.get(models).models.values()) {
      const declared = generation.addons.flatMap(({ definition }) => definition.publicMethods ?? []);
      const publicMethods = new Set(
        declared.filter((publicMethod) => publicMethod.model === model.name).map(({ method }) => method),
      );
      for (const role of roles) {
        const client = role.client();
        const rights = rightsOf(sweep, model.name, role);
        for (const [method, args, kwargs] of forbidden(model, role, rights, publicMethods)) {
          tryCount += 1;
          const reply = await ask(client, model.name, method, args, kwargs);
          const place = `${role.name} ${model.name}.${method} ${JSON.stringify(args).slice(0, 60)}`;
          if (reply.status >= 500 || leak.test(reply.text) || /core\.fault/.test(reply.text)) failed.push(place);
          if (isAnswered(method, reply)) allowedCalls.push(place);
        }
        if (!rights.includes('r')) continue;
        const hidden = hiddenFields(model, role);
        for (const context of [{}, ...lifting]) {
          rightCount += 1;
          const { result } = await ask(client, model.name, 'search_read', [[]], { context, limit: 50 });
          const rows = Array.isArray(result) ? (result as Record<string, unknown>[]) : [];
          for (const name of hidden)
            if (rows.some((row) => Object.hasOwn(row, name))) leaks.push(`${role.name} ${model.name}.${name}`);
        }
        const count = await ask(client, model.name, 'search_count', [[]]);
        for (const context of lifting) {
          lifts += 1;
          const more = await ask(client, model.name, 'search_count', [[]], { context });
          if (more.result !== count.result) lifted.push(`${role.name} ${model.name} ${JSON.stringify(context)}`);
        }
      }
    }
    return [
      expectNone('forbidden calls that succeeded', tryCount, allowedCalls),
      expectNone('secret or foreign fields in replies to requests for all fields', rightCount, leaks),
      expectNone('contexts that show more records', lifts, lifted),
      expectNone('failures', tryCount, failed),
      expectNone('tables changed', tablesBefore.size, changed(tablesBefore, await sweep.tables())),
      ...(await followed(sweep, roles)),
    ];
  },
};

/** Follows records that the role may not read: this must not subscribe it, nor reveal the addresses of other followers. */
async function followed(sweep: Sweep, roles: readonly Role[]) {
  const tablesBefore = await sweep.tables();
  const [subscriptions, leaks] = [[] as string[], [] as string[]];
  let tryCount = 0;
  for (const model of sweep.app.application.generation.get(models).models.keys()) {
    for (const role of roles) {
      if (rightsOf(sweep, model, role).includes('r')) continue;
      const client = role.client();
      for (const [path, params] of [
        ['/website_mail/follow', { model, id: 1, object: model, email: 'eve@example.org', message_is_follower: 'off' }],
        ['/website_mail/is_follower', { model, id: 1, object: model }],
      ] as const) {
        tryCount += 1;
        const { text } = await client.post(path, {
          body: JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params }),
          headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        });
        const reply = JSON.parse(text) as { result?: unknown };
        if (/"is_follower": ?true|"result": ?true/.test(text)) subscriptions.push(`${role.name} ${model} ${path}`);
        const addresses = JSON.stringify(reply.result ?? '').match(/[\w.+-]+@[\w.]+/g) ?? [];
        if (addresses.some((address) => address !== role.email)) leaks.push(`${role.name} ${model} ${path}`);
      }
    }
  }
  return [
    expectNone('subscriptions to unreadable records', tryCount, subscriptions),
    expectNone('leaked addresses of others', tryCount, leaks),
    expectNone('tables changed by following', tablesBefore.size, changed(tablesBefore, await sweep.tables())),
  ];
}

export const modelChecks: readonly SweepCheck[] = [allowed];
