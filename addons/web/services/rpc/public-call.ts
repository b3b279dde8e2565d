import { type Ctx, InvalidInput, type z } from 'pergola';
import { queuedMail } from 'pergola/mail';
import { requireRight, requireScope } from 'pergola/orm';
import type { PublicMethod } from '../../points/public-methods.ts';
import { parseArguments } from './bad-arguments.ts';
import type { Call } from './call-context.ts';
import { anythingToWire } from './to-wire.ts';

const mostIds = 10_000;

/**
 * Calls a method an addon declared public: the ids first, then what its schema makes of the other arguments. A schema of an object takes them
 * by name (or one object by place) and hands on the object; any other takes the list of them by place and hands on its members.
 *
 * @throws NotAllowed without the right on the model that it asks for, or with a token that covers none of what it does
 * @throws InvalidInput for arguments the schema refuses
 */
export async function publicCall(
  { bound }: Call,
  { method, writes, onRecords, right, mails, args: schema }: PublicMethod,
  given: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (typeof right === 'string') requireRight(bound, right);
  else requireScope(bound, writes ? ['write', 'create', 'unlink'] : ['read']);
  const { context: _, ids: namedIds, ...named } = kwargs;
  const places = [...given];
  const ids = onRecords ? [idsFrom(places.length > 0 ? places.shift() : namedIds)] : [];
  const run: unknown = Reflect.get(bound.self, method);
  if (typeof run !== 'function')
    throw new TypeError(`“${bound.compiled.name}” has no method “${method}”, which is declared public.`);
  const rest = argumentsFor(bound.ctx, schema, places, named);
  const answer: unknown = await run.apply(bound.self, [...ids, ...rest]);
  // A mistake of the addon, which its developer should meet first.
  if (!mails && bound.ctx.config.strict && queuedMail(bound.ctx))
    throw new Error(
      `“${bound.compiled.name}.${method}” sends mail. Declare it with \`mails: true\` in its \`publicMethod\`.`,
    );
  return anythingToWire(answer);
}

/** What clients give as the records a method is about: an id or several. */
function idsFrom(value: unknown): number[] {
  const ids = [value].flat().map((id: unknown) => (typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id));
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0;
  if (ids.length <= mostIds && ids.every(isId)) return [...new Set(ids)];
  throw new InvalidInput('The first argument has to be the ids of records.', { code: 'core.bad_arguments' });
}

function argumentsFor(
  ctx: Ctx,
  schema: z.ZodType | null,
  places: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
): unknown[] {
  const isNamed = Object.keys(named).length > 0;
  if (!schema) {
    if (places.length === 0 && !isNamed) return [];
    throw new InvalidInput('This method takes no arguments.', { code: 'core.bad_arguments' });
  }
  const [first] = places;
  const attempts: unknown[] =
    isNamed || places.length === 0 ? [named, places] : places.length === 1 ? [first, places] : [places];
  const { data, attempt } = parseArguments(ctx, schema, ...attempts);
  return attempt === places && Array.isArray(data) ? data : [data];
}
