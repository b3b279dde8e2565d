import { Group } from '@pergola/base';
import { type Ctx, type Id, type Identity, NotFound } from 'pergola';
import {
  boundOf,
  type CompiledModel,
  mayOperate,
  models,
  type Operation,
  type RecordModel,
  scopeOfRights,
} from 'pergola/orm';

/** Operations on records. */
export const operations = ['read', 'write', 'create', 'unlink'] as const;

/** Whether the user's access lists allow an operation on a model at all; false for unknown models. */
export function mayUseModel(ctx: Ctx, name: string, operation: Operation): boolean {
  const registry = ctx.get(models);
  return registry.get(name) !== undefined && mayOperate(ctx, registry, name, operation);
}

/** Access rights on a model by group; `*` is everyone. */
export interface ModelRights {
  readonly model: string;
  readonly label: string;
  readonly addon: string;
  readonly rights: readonly { readonly group: string; readonly operations: readonly Operation[] }[];
  /** Record rules; rules with empty `groups` apply to everyone. */
  readonly rules: readonly RuleRights[];
}
interface RuleRights {
  readonly id: string;
  readonly addon: string;
  readonly groups: readonly string[];
  readonly operations: readonly Operation[];
}

/** Returns the access lists, role permissions and record rules of every model. The caller must check that the user may see them. */
export async function rightsMatrix(ctx: Ctx): Promise<readonly ModelRights[]> {
  const roles = await roleGrants(ctx);
  return [...ctx.get(models).models.values()].map((model) => {
    const modelRights = rightsOf(ctx, model);
    const granted = roles.flatMap(({ code: group, grants }) => {
      const operations = grants.get(model.name);
      return operations ? [{ group, operations: inDisplayOrder(operations) }] : [];
    });
    return { ...modelRights, rights: [...modelRights.rights, ...granted] };
  });
}

/** Returns the permissions granted by roles. */
async function roleGrants(ctx: Ctx) {
  const roles = await ctx.model(Group).find([['is_role', '=', true]], { select: { code: true, rights: true } });
  return roles.map(({ code, rights }) => ({ code, grants: scopeOfRights(rights ?? {}) }));
}

function rightsOf(ctx: Ctx, { name, label, addon }: CompiledModel): ModelRights {
  const { access } = ctx.get(models);
  return {
    model: name,
    label,
    addon,
    rights: [...(access.rights.get(name) ?? [])].map(([group, granted]) => ({
      group,
      operations: inDisplayOrder(granted),
    })),
    rules: (access.rules.get(name) ?? []).map((rule) => ({
      id: rule.id,
      addon: rule.addon,
      groups: rule.groups,
      operations: inDisplayOrder(rule.operations),
    })),
  };
}

function inDisplayOrder(granted: ReadonlySet<Operation>): Operation[] {
  return operations.filter((operation) => granted.has(operation));
}

/** Explanation of a user's access to a model's records. */
export interface AccessExplanation {
  /** Decision of the model layer: for the record if one is given, otherwise whether any record is allowed. */
  readonly allowed: boolean;
  readonly exists: boolean;
  /** Groups that grant it, and whether the user is a member. */
  readonly grants: readonly { readonly group: string; readonly member: boolean }[];
  /** Rules involved: whether they apply to the user, their domain, and whether it covers the record. */
  readonly rules: readonly (RuleRights & {
    readonly applies: boolean;
    /** Domain of the rule for this user as JSON, or null if it doesn't apply to them. */
    readonly domain: readonly unknown[] | null;
    /** Null without a record, or if the rule doesn't apply to the user. */
    readonly covers: boolean | null;
  })[];
  /** Names of fields hidden from the user, with the groups that can see them. */
  readonly hiddenFields: readonly {
    readonly field: string;
    readonly label: string;
    readonly groups: readonly string[];
  }[];
}

/**
 * Explains the model layer's decision about a user, rule by rule. The caller must check that the current user may ask.
 *
 * @throws NotFound for an unknown model
 */
export async function explainAccess(
  ctx: Ctx,
  request: { readonly user: Identity; readonly model: string; readonly operation: Operation; readonly id?: Id },
): Promise<AccessExplanation> {
  const { user, model, operation, id } = request;
  const registry = ctx.get(models);
  const compiled = registry.get(model);
  if (!compiled) throw new NotFound('Unknown model “{model}”.', { code: 'core.no_model', params: { model } });
  const userCtx = ctx.as({ user });
  // Checks the record with elevated rights, to find out whether a rule covers it.
  const all = boundOf(ctx.sudo().modelNamed(model)).self;
  const exists = id === undefined || (await countWithInactive(all, compiled, [['id', '=', id]])) > 0;
  const grants = [...(registry.access.rights.get(model) ?? [])]
    .filter(([, granted]) => granted.has(operation))
    .map(([group]) => ({ group, member: group === '*' || user.groups.has(group) }));
  for (const { code, grants: granted } of await roleGrants(ctx))
    if (granted?.get(model)?.has(operation)) grants.push({ group: code, member: user.groups.has(code) });
  const rules: AccessExplanation['rules'][number][] = [];
  for (const rule of registry.access.rules.get(model) ?? []) {
    if (!rule.operations.has(operation)) continue;
    const applies = rule.groups.length === 0 || rule.groups.some((group) => user.groups.has(group));
    const domain = applies ? await rule.domain(userCtx) : null;
    const covers =
      domain === null || id === undefined
        ? null
        : (await countWithInactive(all, compiled, [['id', '=', id], ...domain])) > 0;
    const { addon, groups } = rule;
    rules.push({ id: rule.id, addon, groups, operations: inDisplayOrder(rule.operations), applies, domain, covers });
  }
  const granted = grants.some(({ member }) => member);
  const isAllowed =
    id === undefined || operation === 'create'
      ? granted
      : granted && (await userCtx.modelNamed(model).allowed([id], operation)).length > 0;
  const hiddenFields = [...compiled.fields.values()]
    .filter(({ groups, secret }) => !secret && groups.length > 0 && !groups.some((group) => user.groups.has(group)))
    .map(({ name, label, groups }) => ({ field: name, label, groups }));
  return { allowed: isAllowed && exists, exists, grants, rules, hiddenFields };
}

async function countWithInactive(
  model: RecordModel,
  { activeField }: CompiledModel,
  domain: readonly unknown[],
): Promise<number> {
  const everyone = activeField ? [['active', 'in', [true, false]]] : [];
  return model.count([...everyone, ...domain]);
}
