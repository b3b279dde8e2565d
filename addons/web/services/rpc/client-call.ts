import { type Ctx, escapeHtml, InvalidInput, NotAllowed, z } from 'pergola';
import { nameChanges } from 'pergola/kernel';
import type { ThreadView } from '../../backend/chatter/thread.ts';
import { exportData } from '../backend/export-data.ts';
import { loadRows } from '../backend/import/load-rows.ts';
import { parseArguments } from './bad-arguments.ts';
import { callModel, callWrites, type ModelCall, namedArguments } from './call.ts';
import { contextFor } from './call-context.ts';
import { externalIds } from './external-ids.ts';
import { idOrIds, ids, names } from './methods.ts';
import { isModelList } from './model-list.ts';
import { list, maxRecords } from './record-methods.ts';

/** In a call's context: the key by which the caller may undo the change at once. */
const changeKey = z.object({ change_key: z.string().max(64) });

/** A method of Odoo's models that is composed of other calls. */
interface ClientMethod {
  readonly writes: boolean;
  /** Names of the arguments in positional order. */
  readonly params: readonly string[];
  run(ctx: Ctx, model: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

function method<S extends z.ZodObject>(
  shape: S,
  run: (ctx: Ctx, model: string, args: z.infer<S>) => Promise<unknown>,
  { writes = false } = {},
): ClientMethod {
  return {
    writes,
    params: Object.keys(shape.shape),
    run: (ctx, model, args) => run(ctx, model, parseArguments(ctx, shape, args).data),
  };
}

const someIds = z.object({ ids: idOrIds });

/** By name; a Map, so that inherited names are never matched. */
const clientMethods: ReadonlyMap<string, ClientMethod> = new Map([
  ['get_metadata', method(someIds, (ctx, model, { ids }) => metadata(ctx, model, list(ids)))],
  [
    'perm_read',
    method(z.object({ ids: idOrIds, details: z.boolean().nullish() }), (ctx, model, { ids, details }) =>
      metadata(ctx, model, list(ids), details !== false),
    ),
  ],
  [
    'get_external_id',
    method(someIds, async (ctx, model, { ids }) => {
      const externalIdsOf = await readableExternalIds(ctx, model, list(ids));
      return Object.fromEntries(list(ids).map((id) => [id, externalIdsOf.get(id)?.[0]?.name ?? '']));
    }),
  ],
  [
    'check_access_rule',
    method(
      z.object({ ids: idOrIds, operation: z.enum(['read', 'write', 'create', 'unlink']) }),
      async (ctx, model, { ids, operation }) => {
        await call(ctx, model, 'exists', [list(ids)]);
        const allowed = await ctx.modelNamed(model).allowed(list(ids), operation === 'create' ? 'write' : operation);
        if (allowed.length === list(ids).length) return true;
        throw new NotAllowed('You don’t have permission to do this with “{model}”.', {
          code: 'core.access_denied',
          params: { model },
        });
      },
    ),
  ],
  [
    'action_archive',
    method(someIds, (ctx, model, { ids }) => call(ctx, model, 'write', [list(ids), { active: false }]), {
      writes: true,
    }),
  ],
  [
    'action_unarchive',
    method(someIds, (ctx, model, { ids }) => call(ctx, model, 'write', [list(ids), { active: true }]), {
      writes: true,
    }),
  ],
  [
    'toggle_active',
    method(
      someIds,
      async (ctx, model, { ids }) => {
        const rows = (await call(ctx, model, 'read', [list(ids), ['active']])) as { id: number; active: boolean }[];
        for (const { id, active } of rows) await call(ctx, model, 'write', [[id], { active: !active }]);
        return true;
      },
      { writes: true },
    ),
  ],
  [
    'load',
    method(
      z.object({
        fields: names.min(1).max(200),
        data: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).max(200)).max(maxRecords),
      }),
      (ctx, model, { fields, data }) => loadRows(ctx, { model, fields, data }),
      { writes: true },
    ),
  ],
  [
    'export_data',
    method(
      z.object({ ids: idOrIds, fields_to_export: names.max(200), raw_data: z.boolean().nullish() }),
      async (ctx, model, { ids, fields_to_export: fields }) => ({
        datas: await exportData(ctx, { model, ids: list(ids), fields }),
      }),
    ),
  ],
  [
    'message_post',
    method(
      z.object({
        ids: idOrIds,
        body: z.string().default(''),
        subject: z.union([z.string(), z.literal(false)]).nullish(),
        message_type: z.string().nullish(),
        subtype_xmlid: z.union([z.string(), z.literal(false)]).nullish(),
        subtype: z.union([z.string(), z.literal(false)]).nullish(),
        partner_ids: ids.nullish(),
        attachment_ids: ids.nullish(),
      }),
      async (ctx, model, args) => {
        const [id, ...others] = list(args.ids);
        if (id === undefined || others.length > 0)
          throw new InvalidInput('Post to one record at a time.', { code: 'core.bad_arguments' });
        await requireFollowers(ctx, { model, id }, args.partner_ids ?? []);
        return call(ctx, 'mail.message', 'thread_post', [
          {
            model,
            id,
            body: htmlOf(args.body),
            subject: args.subject || null,
            // Odoo logs a note unless the message is a comment.
            internal: !/(?:^|\.)mt_comment$/.test(args.subtype_xmlid || args.subtype || ''),
            attachment_ids: args.attachment_ids ?? [],
          },
        ]);
      },
      { writes: true },
    ),
  ],
  ['message_subscribe', following(true)],
  ['message_unsubscribe', following(false)],
]);

function following(on: boolean): ClientMethod {
  return method(
    z.object({ ids: idOrIds, partner_ids: ids }),
    async (ctx, model, { ids: records, partner_ids }) => {
      for (const id of list(records))
        await call(ctx, 'mail.message', 'thread_follow', [{ model, id, on, partner_ids }]);
      return true;
    },
    { writes: true },
  );
}

/**
 * Messages go to the followers of a record and to the recipients that it proposes.
 *
 * @throws InvalidInput for contacts who are neither
 */
async function requireFollowers(
  ctx: Ctx,
  record: { readonly model: string; readonly id: number },
  partners: readonly number[],
): Promise<void> {
  if (partners.length === 0) return;
  const { followers } = (await call(ctx, 'mail.message', 'thread_read', [record])) as ThreadView;
  const followerIds = new Set(followers.map(({ partnerId }) => partnerId));
  if (partners.every((partner) => followerIds.has(partner))) return;
  throw new InvalidInput(
    'Messages are sent to the followers of a record. Add the contacts with message_subscribe first.',
    {
      code: 'web.not_followers',
    },
  );
}

/** Converts a message to HTML, because clients also post plain text. */
function htmlOf(body: string): string {
  return /<\/?[a-z][^>]*>/i.test(body) ? body : escapeHtml(body).replaceAll('\n', '<br>');
}

/** Whether a call writes; see {@link callForClient}. */
export function clientCallWrites(ctx: Ctx, modelCall: Pick<ModelCall, 'model' | 'method'>): boolean {
  return clientMethods.get(modelCall.method)?.writes ?? callWrites(ctx, modelCall);
}

/** Calls a method like {@link callModel}, and supports methods that only Odoo's clients use: `load`, `get_metadata`, `message_post`. */
export async function callForClient(ctx: Ctx, modelCall: ModelCall): Promise<unknown> {
  const clientKey = changeKey.safeParse(modelCall.kwargs.context).data?.change_key;
  nameChanges(ctx, { source: `${modelCall.model}.${modelCall.method}`, clientKey });
  const clientMethod = clientMethods.get(modelCall.method);
  if (!clientMethod || isModelList(modelCall.model)) return callModel(ctx, modelCall);
  const { context, ...namedArgs } = namedArguments(clientMethod, modelCall.args, modelCall.kwargs);
  const speaking = contextFor(ctx, modelCall.kwargs.context ?? context);
  // Models without any rights don't exist for the caller.
  if (!modelCall.method.startsWith('message_'))
    await call(speaking, modelCall.model, 'check_access_rights', ['read', false]);
  return clientMethod.run(speaking, modelCall.model, namedArgs);
}

function call(ctx: Ctx, model: string, method: string, args: readonly unknown[]): Promise<unknown> {
  return callModel(ctx, { model, method, args, kwargs: {} });
}

const stamps = ['create_uid', 'create_date', 'write_uid', 'write_date'] as const;

/** Returns the creator, last editor, times and external ids of records. Without `details`, users are ids only. */
async function metadata(ctx: Ctx, model: string, ids: readonly number[], details = true): Promise<unknown> {
  const kwargs = details ? {} : { load: '_classic_write' };
  const rows = (await callModel(ctx, { model, method: 'read', args: [ids, stamps], kwargs })) as { id: number }[];
  const external = await externalIds(ctx, model, ids);
  return rows.map((row) => {
    const externalNames = external.get(row.id) ?? [];
    return {
      ...row,
      xmlid: externalNames[0]?.name ?? false,
      xmlids: externalNames.map(({ name, noupdate }) => ({ xmlid: name, noupdate })),
      noupdate: externalNames[0]?.noupdate ?? false,
    };
  });
}

async function readableExternalIds(ctx: Ctx, model: string, ids: readonly number[]) {
  await call(ctx, model, 'read', [ids, ['id']]);
  return externalIds(ctx, model, ids);
}
