import { type Ctx, contextTools, InvalidInput, PergolaError, WrongCode } from '@pergola/core';
import { allRecords, joinParsed, noRecords, type ParsedDomain, parseDomain } from '../domain/parse.ts';
import type { ModelRegistry } from '../registry.ts';
import type { CompiledRule, Operation } from './compiled.ts';
import { mayOperate, withoutScope } from './rights.ts';

/** Memo key of the operations whose rules are being evaluated in a context. */
const RUNNING = 'guards-in-work';

/**
 * Returns a domain of the records on which the user may perform the operation: empty without a right in the access lists, else all rules
 * for everyone and at least one rule of the user's groups. Evaluated once per context; returns a promise only the first time.
 */
export function guardFor(
  ctx: Ctx,
  registry: ModelRegistry,
  model: string,
  operation: Operation,
): ParsedDomain | Promise<ParsedDomain> {
  if (ctx.su) return allRecords;
  const { memo } = ctx.get(contextTools);
  const key = `guard:${operation}:${model}`;
  const cached = memo.get(key) as ParsedDomain | undefined;
  if (cached) return cached;
  const rules = (registry.access.rules.get(model) ?? []).filter(({ operations }) => operations.has(operation));
  const isDenied = !mayOperate(ctx, registry, model, operation);
  if (isDenied || rules.length === 0) {
    const guard = isDenied ? noRecords : allRecords;
    memo.set(key, guard);
    return guard;
  }
  return evaluateRules(ctx, model, operation, rules).then((guard) => {
    memo.set(key, guard);
    return guard;
  });
}

/** Clears cached guards, because records that rules depend on may have changed. */
export function forgetGuards(ctx: Ctx): void {
  const { memo } = ctx.get(contextTools);
  for (const key of memo.keys()) if (key.startsWith('guard:')) memo.delete(key);
}

/** Whether the user may perform the operation on every record of the model, so that no record needs to be checked. */
export async function isUnlimited(
  ctx: Ctx,
  registry: ModelRegistry,
  model: string,
  operation: Operation,
): Promise<boolean> {
  return (await guardFor(ctx, registry, model, operation)).node.kind === 'all';
}

async function evaluateRules(
  ctx: Ctx,
  model: string,
  operation: Operation,
  rules: readonly CompiledRule[],
): Promise<ParsedDomain> {
  const inner = contextFor(ctx, `${operation} ${model}`, rules);
  const forAll = rules.filter(({ groups }) => groups.length === 0);
  const forGroups = rules.filter(({ groups }) => groups.some((group) => ctx.user.groups.has(group)));
  const parse = (rule: CompiledRule) => evaluate(inner, rule);
  const globalGuards = await Promise.all(forAll.map(parse));
  if (forGroups.length === 0) return joinParsed('and', globalGuards);
  return joinParsed('and', [...globalGuards, joinParsed('or', await Promise.all(forGroups.map(parse)))]);
}

/** Creates a context for the rules' functions that detects when a rule reads records it decides about. */
function contextFor(ctx: Ctx, work: string, rules: readonly CompiledRule[]): Ctx {
  const outer = ctx.get(contextTools).memo.get(RUNNING);
  const running = outer instanceof Set ? outer : new Set<unknown>();
  if (running.has(work)) {
    const names = rules.map(({ id }) => id).join(', ');
    throw new Error(
      `A rule among ${names} needs itself to be decided (${work}). Read with ctx.sudo() inside a rule's domain.`,
    );
  }
  const inner = withoutScope(ctx).as({});
  inner.get(contextTools).memo.set(RUNNING, new Set([...running, work]));
  return inner;
}

async function evaluate(ctx: Ctx, rule: CompiledRule): Promise<ParsedDomain> {
  try {
    return parseDomain(await rule.domain(ctx));
  } catch (error) {
    // An unreachable database isn't the rule's fault.
    if (error instanceof PergolaError && !(error instanceof InvalidInput || error instanceof WrongCode)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The rule ${rule.id} of addon ${rule.addon} failed: ${reason}`, { cause: error });
  }
}
