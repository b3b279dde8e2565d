import { type Ctx, contextTools, InvalidInput, PergolaError, WrongCode } from '@pergola/core';
import { all, joinParsed, none, type ParsedDomain, parseDomain } from '../domain/parse.ts';
import type { ModelRegistry } from '../registry.ts';
import type { CompiledRule, Operation } from './compiled.ts';
import { mayOperate, withoutScope } from './rights.ts';

/** Under this key a context says whose rules are being worked out with it. */
const working = 'guards-in-work';

/**
 * Which records of a model the user may act on like this: nothing without a right in the access lists, else the rules for everybody and one
 * of those for the user's groups. Worked out once per context; a promise only the first time.
 */
export function guardFor(
  ctx: Ctx,
  registry: ModelRegistry,
  model: string,
  operation: Operation,
): ParsedDomain | Promise<ParsedDomain> {
  if (ctx.su) return all;
  const { memo } = ctx.get(contextTools);
  const key = `guard:${operation}:${model}`;
  const kept = memo.get(key) as ParsedDomain | undefined;
  if (kept) return kept;
  const rules = (registry.access.rules.get(model) ?? []).filter(({ operations }) => operations.has(operation));
  const isDenied = !mayOperate(ctx, registry, model, operation);
  if (isDenied || rules.length === 0) {
    const guard = isDenied ? none : all;
    memo.set(key, guard);
    return guard;
  }
  return workOut(ctx, model, operation, rules).then((guard) => {
    memo.set(key, guard);
    return guard;
  });
}

/** Lets rules be worked out anew, because what they depend on may have changed. */
export function forgetGuards(ctx: Ctx): void {
  const { memo } = ctx.get(contextTools);
  for (const key of memo.keys()) if (key.startsWith('guard:')) memo.delete(key);
}

/** Whether the user may act like this on every record of the model, so that none needs to be looked at. */
export async function isUnlimited(
  ctx: Ctx,
  registry: ModelRegistry,
  model: string,
  operation: Operation,
): Promise<boolean> {
  return (await guardFor(ctx, registry, model, operation)).node.kind === 'all';
}

async function workOut(
  ctx: Ctx,
  model: string,
  operation: Operation,
  rules: readonly CompiledRule[],
): Promise<ParsedDomain> {
  const inner = contextFor(ctx, `${operation} ${model}`, rules);
  const forAll = rules.filter(({ groups }) => groups.length === 0);
  const forGroups = rules.filter(({ groups }) => groups.some((group) => ctx.user.groups.has(group)));
  const parse = (rule: CompiledRule) => evaluate(inner, rule);
  const everybody = await Promise.all(forAll.map(parse));
  if (forGroups.length === 0) return joinParsed('and', everybody);
  return joinParsed('and', [...everybody, joinParsed('or', await Promise.all(forGroups.map(parse)))]);
}

/** A context of its own for the rules' functions, which notices when a rule reads what it decides about. */
function contextFor(ctx: Ctx, work: string, rules: readonly CompiledRule[]): Ctx {
  const before = ctx.get(contextTools).memo.get(working);
  const inWork = before instanceof Set ? before : new Set<unknown>();
  if (inWork.has(work)) {
    const names = rules.map(({ id }) => id).join(', ');
    throw new Error(
      `A rule among ${names} needs itself to be decided (${work}). Read with ctx.sudo() inside a rule's domain.`,
    );
  }
  const inner = withoutScope(ctx).as({});
  inner.get(contextTools).memo.set(working, new Set([...inWork, work]));
  return inner;
}

async function evaluate(ctx: Ctx, rule: CompiledRule): Promise<ParsedDomain> {
  try {
    return parseDomain(await rule.domain(ctx));
  } catch (error) {
    // The database being away is no fault of the rule.
    if (error instanceof PergolaError && !(error instanceof InvalidInput || error instanceof WrongCode)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The rule ${rule.id} of addon ${rule.addon} failed: ${why}`, { cause: error });
  }
}
