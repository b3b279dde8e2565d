import { type Ctx, route, z } from 'pergola';
import { callModel, callWrites, type ModelCall, prepareModelCall } from '../services/rpc/call.ts';
import { callForClient, clientCallWrites } from '../services/rpc/client-call.ts';

/** Calls of signed-in users may contain images and files. */
const limit = { bytes: 12 * 1024 * 1024 };
const options = { auth: 'user', limit } as const;

const name = z.string().min(1).max(64);
const list = z.array(z.unknown()).max(20).default([]);
const namedArgs = z.record(z.string(), z.unknown());
const context = namedArgs.optional();

const kwInput = z.object({ model: name, method: name, args: list, kwargs: namedArgs.default({}), context });
type KwInput = z.infer<typeof kwInput>;

/** Odoo's clients send the context as a keyword argument or next to them. */
function toCall({ model, method, args, kwargs, context: topLevelContext }: KwInput): ModelCall {
  return { model, method, args, kwargs: { ...(topLevelContext ? { context: topLevelContext } : {}), ...kwargs } };
}

/** The path after `call_kw/` only names the call for readers of logs and is ignored. */
const callKw = (path: string, id: string, params: Record<string, z.ZodType>) =>
  route.rpc(
    path,
    {
      ...options,
      bearer: true,
      name: id,
      params,
      input: kwInput,
      prepare: ({ ctx, input }) => prepareModelCall(ctx, toCall(input)),
      writes: ({ ctx, input }) => clientCallWrites(ctx, input),
    },
    ({ ctx, prepared }) => callForClient(ctx, prepared),
  );

const call = route.rpc(
  '/web/dataset/call',
  {
    ...options,
    name: 'web.dataset_call',
    input: z.object({ model: name, method: name, args: list, context }),
    prepare: ({ ctx, input }) => prepareModelCall(ctx, toCall({ ...input, kwargs: {} })),
    writes: ({ ctx, input }) => clientCallWrites(ctx, input),
  },
  ({ ctx, prepared }) => callForClient(ctx, prepared),
);

const searchRead = route.rpc(
  '/web/dataset/search_read',
  {
    ...options,
    name: 'web.dataset_search_read',
    input: z.object({
      model: name,
      fields: z.union([z.array(z.string()).max(500), z.literal(false)]).default(false),
      offset: z.number().int().min(0).default(0),
      limit: z.union([z.number().int().min(0), z.literal(false)]).default(false),
      domain: z.unknown().optional(),
      sort: z.union([z.string().max(500), z.literal(false)]).nullish(),
      context,
    }),
  },
  async ({ ctx, input }) => {
    const { model, fields, offset, limit: maxRecords, domain, sort } = input;
    const kwargs = {
      ...(input.context ? { context: input.context } : {}),
      domain: domain ?? [],
      fields: fields || null,
      offset,
      limit: maxRecords,
      order: sort || null,
    };
    const records = (await callModel(ctx, { model, method: 'search_read', args: [], kwargs })) as unknown[];
    const isPage = maxRecords !== false && maxRecords > 0 && records.length === maxRecords;
    const length = isPage
      ? await callModel(ctx, {
          model,
          method: 'search_count',
          args: [domain ?? []],
          kwargs: withContext(input.context),
        })
      : offset + records.length;
    return { length, records };
  },
);

function withContext(context: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> {
  return context ? { context } : {};
}

/** Calls the method of a form button. Returns an action for the client, or false. */
const callButton = route.rpc(
  '/web/dataset/call_button',
  {
    ...options,
    name: 'web.dataset_call_button',
    input: z.object({
      model: name,
      method: name,
      args: list,
      domain_id: z.unknown().optional(),
      context_id: z.unknown().optional(),
    }),
    prepare: ({ ctx, input: { model, method, args } }) => {
      const last = args.at(-1);
      const parsedContext = args.length > 1 ? namedArgs.safeParse(last) : null;
      const kwargs = parsedContext?.success ? { context: parsedContext.data } : {};
      return prepareModelCall(ctx, { model, method, args: parsedContext?.success ? args.slice(0, -1) : args, kwargs });
    },
    writes: ({ ctx, input }) => callWrites(ctx, input),
  },
  async ({ ctx, prepared }) => {
    const answer = await callModel(ctx, prepared);
    return typeof answer === 'object' && answer !== null && 'type' in answer ? answer : false;
  },
);

const resequence = route.rpc(
  '/web/dataset/resequence',
  {
    ...options,
    name: 'web.dataset_resequence',
    writes: true,
    input: z.object({
      model: name,
      ids: z.array(z.number().int().positive()).max(2_000),
      field: name.default('sequence'),
      offset: z.number().int().min(0).default(0),
      context,
    }),
  },
  async ({ ctx, input: { model, ids, field, offset } }) => {
    if (!(await hasField(ctx, model, field))) return false;
    for (const [position, id] of ids.entries()) {
      await callModel(ctx, { model, method: 'write', args: [[id], { [field]: position + offset }], kwargs: {} });
    }
    return true;
  },
);

async function hasField(ctx: Ctx, model: string, field: string): Promise<boolean> {
  const fields = await callModel(ctx, { model, method: 'fields_get', args: [[field]], kwargs: {} });
  return typeof fields === 'object' && fields !== null && Object.hasOwn(fields, field);
}

export const datasetRoutes = [
  callKw('/web/dataset/call_kw', 'web.call_kw', {}),
  callKw('/web/dataset/call_kw/*', 'web.call_kw_path', { '*': z.string() }),
  call,
  searchRead,
  callButton,
  resequence,
];
