import { type Ctx, InvalidInput, NotFound, PergolaError, z } from 'pergola';
import { boundOf, models, requireScope, withoutScope } from 'pergola/orm';
import { saidIn } from 'pergola/pages';
import { type PublicMethod, publicMethods } from '../../points/public-methods.ts';
import { mayUseModel, operations } from '../admin/access.ts';
import { type Call, contextFor, startCall } from './call-context.ts';
import { methods, type WireMethod } from './methods.ts';
import { isModelList, readModelList } from './model-list.ts';
import { isPlainObject } from './plain-object.ts';
import { publicCall } from './public-call.ts';
import { maxRecords } from './record-methods.ts';
import { storeFiles } from './uploads.ts';

/** A model call as sent by Odoo's clients. */
export interface ModelCall {
  readonly model: string;
  readonly method: string;
  /** Positional arguments. */
  readonly args: readonly unknown[];
  /** Keyword arguments, including `context`. */
  readonly kwargs: Readonly<Record<string, unknown>>;
}

const callShape = z.object({
  model: z.string().min(1).max(64),
  method: z.string().min(1).max(64),
  args: z.array(z.unknown()).max(20).default([]),
  kwargs: z.record(z.string(), z.unknown()).default({}),
});

/** Whether a call writes, so that its route knows in advance whether to open a transaction. False for methods that can't be called. */
export function callWrites(ctx: Ctx, { model, method }: Pick<ModelCall, 'model' | 'method'>): boolean {
  return methods.get(method)?.writes ?? declaredMethod(ctx, model, method)?.writes ?? false;
}

/** Returns a method that an addon declared public. */
function declaredMethod(ctx: Ctx, model: string, method: string): PublicMethod | undefined {
  return ctx.get(publicMethods).find((declared) => declared.model === model && declared.method === method);
}

/**
 * Stores the files of a call, which is slow and belongs before the transaction. Pass the result to {@link callModel}, which reports all
 * errors except errors of files.
 */
export async function prepareModelCall(ctx: Ctx, modelCall: ModelCall): Promise<ModelCall> {
  const methodInfo = methods.get(modelCall.method);
  if (!methodInfo?.values || !isKnownModel(ctx, modelCall.model) || !mayWrite(ctx, modelCall.model)) return modelCall;
  const { bound } = startCall(ctx, modelCall.model, modelCall.kwargs.context);
  const place = methodInfo.params.indexOf(methodInfo.values);
  const store = async (value: unknown): Promise<unknown> => {
    if (!Array.isArray(value)) return storeFiles(bound, value);
    const stored: unknown[] = [];
    for (const item of value.slice(0, maxRecords)) stored.push(await storeFiles(bound, item));
    return stored;
  };
  const args = [...modelCall.args];
  const kwargs: Record<string, unknown> = { ...modelCall.kwargs };
  if (place < args.length) args[place] = await store(args[place]);
  if (Object.hasOwn(kwargs, methodInfo.values)) kwargs[methodInfo.values] = await store(kwargs[methodInfo.values]);
  return { ...modelCall, args, kwargs };
}

/**
 * Calls a model method for an external caller with the context's rights: Odoo's standard methods, and methods declared public by addons.
 * Uses Odoo's formats: many2one as `[id, name]`, empty values as false, moments as UTC text, files as base64, amounts in major units.
 *
 * Unknown models, models without any rights, and private or inherited names all return the same error, so callers can't find out whether they
 * exist.
 *
 * @throws NotFound, NotAllowed, InvalidInput (also for malformed arguments), Conflict
 */
export async function callModel(ctx: Ctx, modelCall: ModelCall): Promise<unknown> {
  const parsed = callShape.safeParse(modelCall);
  if (!parsed.success) throw new InvalidInput('This isn’t a model call.', { code: 'core.bad_call' });
  const { model, method, args, kwargs } = parsed.data;
  if (isModelList(model)) {
    const methodInfo = methods.get(method);
    if (!methodInfo) throw noMethod(model, method);
    const { context, ...namedArgs } = namedArguments(methodInfo, args, kwargs);
    return readModelList(contextFor(ctx, kwargs.context ?? context), model, method, namedArgs);
  }
  if (!ctx.get(models).get(model)) throw noModel(model);
  const declared = declaredMethod(ctx, model, method);
  const isForAll = declared !== undefined && typeof declared.right !== 'string';
  if (!isForAll && !isKnownModel(ctx, model)) {
    // If the user can see the model, programs may learn that their token doesn't cover it.
    if (isKnownModel(withoutScope(ctx), model)) requireScope(boundOf(ctx.modelNamed(model)), operations);
    throw noModel(model);
  }
  if (declared) {
    const call = startCall(ctx, model, kwargs.context);
    return inItsLanguage(ctx, call, () => publicCall(call, declared, args, kwargs));
  }
  const methodInfo = methods.get(method);
  if (!methodInfo) throw noMethod(model, method);
  const namedArgs = namedArguments(methodInfo, args, kwargs);
  const call: Call = startCall(ctx, model, kwargs.context ?? namedArgs.context);
  return inItsLanguage(ctx, call, () => methodInfo.run(call, namedArgs));
}

/** Returns errors entirely in the language of the call if it differs from the request's. */
async function inItsLanguage(ctx: Ctx, { bound }: Call, run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof PergolaError && bound.ctx.lang !== ctx.lang ? saidIn(bound.ctx, error) : error;
  }
}

function isKnownModel(ctx: Ctx, model: string): boolean {
  return operations.some((operation) => mayUseModel(ctx, model, operation));
}

function mayWrite(ctx: Ctx, model: string): boolean {
  return mayUseModel(ctx, model, 'create') || mayUseModel(ctx, model, 'write');
}

/** Returns the arguments by name, whether they were passed by position or by name. */
export function namedArguments(
  method: Pick<WireMethod, 'params'>,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const params = paramsFor(method, args);
  if (args.length > params.length) throw new InvalidInput('Too many arguments.', { code: 'core.bad_arguments' });
  const namedArgs: Record<string, unknown> = {};
  for (const [position, value] of args.entries()) namedArgs[params[position] ?? ''] = value;
  for (const [name, value] of Object.entries(kwargs)) {
    if (name === 'context') continue;
    const param = aliasOf(params, name);
    if (!param) throw new InvalidInput('Unknown argument “{name}”.', about(name));
    if (Object.hasOwn(namedArgs, param)) throw new InvalidInput('The argument “{name}” is passed twice.', about(param));
    namedArgs[param] = value;
  }
  return namedArgs;
}

/** Up to version 8, Odoo's methods took the context as a positional argument; later versions omit it. */
function paramsFor({ params }: Pick<WireMethod, 'params'>, args: readonly unknown[]): readonly string[] {
  const place = params.indexOf('context');
  const argument = args[place];
  const isContext = argument === undefined || argument === null || argument === false || isPlainObject(argument);
  return place < 0 || isContext ? params : params.filter((name) => name !== 'context');
}

/** A few names differ between Odoo's versions. */
function aliasOf(params: readonly string[], name: string): string | undefined {
  if (params.includes(name)) return name;
  const alternatives: ReadonlyMap<string, string> = new Map([
    ['domain', 'args'],
    ['values', 'vals'],
    ['vals_list', 'vals'],
    ['fields', 'fields_list'],
    ['ids', 'id'],
  ]);
  const alternative = alternatives.get(name);
  return alternative && params.includes(alternative) ? alternative : undefined;
}

function about(name: string): { code: string; params: { name: string } } {
  return { code: 'core.bad_arguments', params: { name: name.slice(0, 40) } };
}

function noModel(model: string): NotFound {
  return new NotFound('Unknown model “{model}”.', { code: 'core.no_model', params: { model } });
}

function noMethod(model: string, method: string): NotFound {
  return new NotFound('“{model}” has no public method “{method}”.', {
    code: 'core.no_method',
    params: { model, method },
  });
}
