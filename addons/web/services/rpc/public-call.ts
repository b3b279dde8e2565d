import { type Ctx, InvalidInput, type z } from 'pergola';
import { queuedMail } from 'pergola/mail';
import { requireRight, requireScope } from 'pergola/orm';
import type { PublicMethod } from '../../points/public-methods.ts';
import { parseArguments } from './bad-arguments.ts';
import type { Call } from './call-context.ts';
import { anythingToWire } from './to-wire.ts';

const maxIds = 10_000;

/**
 * Calls a method declared public by an addon with the ids, followed by its parsed arguments. An object schema takes them by name (or as a
 * single positional object) and passes the object; any other schema takes the list of positional arguments and passes its items.
 *
 * @throws NotAllowed without the required right on the model, or with a token that covers none of its operations
 * @throws InvalidInput for arguments refused by the schema
 */
export async function publicCall(
  { bound }: Call,
  { method, writes, onRecords, right, mails, args: schema }: PublicMethod,
  positional: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (typeof right === 'string') requireRight(bound, right);
  else requireScope(bound, writes ? ['write', 'create', 'unlink'] : ['read']);
  const { context: _, ids: namedIds, ...namedArgs } = kwargs;
  const places = [...positional];
  const ids = onRecords ? [idsFrom(places.length > 0 ? places.shift() : namedIds)] : [];
  const run: unknown = Reflect.get(bound.self, method);
  if (typeof run !== 'function')
    throw new TypeError(`“${bound.compiled.name}” has no method “${method}”, which is declared public.`);
  const methodArgs = argumentsFor(bound.ctx, schema, places, namedArgs);
  const answer: unknown = await run.apply(bound.self, [...ids, ...methodArgs]);
  // A mistake of the addon, reported to its developer first.
  if (!mails && bound.ctx.config.strict && queuedMail(bound.ctx))
    throw new Error(
      `“${bound.compiled.name}.${method}” sends mail. Declare it with \`mails: true\` in its \`publicMethod\`.`,
    );
  return anythingToWire(answer);
}

/** Returns the ids of the records passed by a client: one or several. */
function idsFrom(value: unknown): number[] {
  const ids = [value].flat().map((id: unknown) => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id));
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0;
  if (ids.length <= maxIds && ids.every(isId)) return [...new Set(ids)];
  throw new InvalidInput('The first argument must be a list of record IDs.', { code: 'core.bad_arguments' });
}

function argumentsFor(
  ctx: Ctx,
  schema: z.ZodType | null,
  places: readonly unknown[],
  namedArgs: Readonly<Record<string, unknown>>,
): unknown[] {
  const isNamed = Object.keys(namedArgs).length > 0;
  if (!schema) {
    if (places.length === 0 && !isNamed) return [];
    throw new InvalidInput('This method takes no arguments.', { code: 'core.bad_arguments' });
  }
  const [first] = places;
  const attempts: unknown[] =
    isNamed || places.length === 0 ? [namedArgs, places] : places.length === 1 ? [first, places] : [places];
  const { data, attempt } = parseArguments(ctx, schema, ...attempts);
  return attempt === places && Array.isArray(data) ? data : [data];
}
