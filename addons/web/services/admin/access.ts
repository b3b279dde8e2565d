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
import { Group } from '#addons/base';

/** What may be done with records. */
export const operations = ['read', 'write', 'create', 'unlink'] as const;

/** Whether the user's access lists let them do this with a model at all; false for one that is not there. */
export function mayUseModel(ctx: Ctx, name: string, operation: Operation): boolean {
  const registry = ctx.get(models);
  return registry.get(name) !== undefined && mayOperate(ctx, registry, name, operation);
}

/** Who may do what with a model as such, group by group; `*` is everybody. */
export interface ModelRights {
  readonly model: string;
  readonly label: string;
  readonly addon: string;
  readonly rights: readonly { readonly group: string; readonly operations: readonly Operation[] }[];
  /** Rules that say which records; `groups` empty: they hold for everybody. */
  readonly rules: readonly RuleRights[];
}
interface RuleRights {
  readonly id: string;
  readonly addon: string;
  readonly groups: readonly string[];
  readonly operations: readonly Operation[];
}

/** The access lists, rights of roles and record rules of every model. Who may see them is the caller's matter. */
export async function rightsMatrix(ctx: Ctx): Promise<readonly ModelRights[]> {
  const roles = await roleGrants(ctx);
  return [...ctx.get(models).models.values()].map((model) => {
    const about = rightsOf(ctx, model);
    const granted = roles.flatMap(({ code: group, grants }) => {
      const operations = grants.get(model.name);
      return operations ? [{ group, operations: sorted(operations) }] : [];
    });
    return { ...about, rights: [...about.rights, ...granted] };
  });
}

/** What each role grants. */
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
    rights: [...(access.rights.get(name) ?? [])].map(([group, given]) => ({ group, operations: sorted(given) })),
    rules: (access.rules.get(name) ?? []).map((rule) => ({
      id: rule.id,
      addon: rule.addon,
      groups: rule.groups,
      operations: sorted(rule.operations),
    })),
  };
}

function sorted(given: ReadonlySet<Operation>): Operation[] {
  return operations.filter((one) => given.has(one));
}

/** Why somebody may, or may not, do something with a model's records. */
export interface AccessExplanation {
  /** What the model layer says; with a record about that record, else whether it is allowed for any. */
  readonly allowed: boolean;
  readonly exists: boolean;
  /** Groups that grant it, and whether the user is in them. */
  readonly grants: readonly { readonly group: string; readonly member: boolean }[];
  /** Rules about it: whether they hold for this user, which records they leave, and whether the record is among these. */
  readonly rules: readonly (RuleRights & {
    readonly applies: boolean;
    /** The rule's domain for this user, as JSON; null where it does not hold for them. */
    readonly domain: readonly unknown[] | null;
    /** null without a record, or where the rule does not hold for the user. */
    readonly covers: boolean | null;
  })[];
  /** Names of fields the user does not know of, with the groups that do. */
  readonly hiddenFields: readonly {
    readonly field: string;
    readonly label: string;
    readonly groups: readonly string[];
  }[];
}

/**
 * Explains a decision of the model layer about a user, rule by rule. Who may ask is the caller's matter.
 *
 * @throws NotFound for a model that is not there.
 */
export async function explainAccess(
  ctx: Ctx,
  about: { readonly user: Identity; readonly model: string; readonly operation: Operation; readonly id?: Id },
): Promise<AccessExplanation> {
  const { user, model, operation, id } = about;
  const registry = ctx.get(models);
  const compiled = registry.get(model);
  if (!compiled) throw new NotFound('There is no model “{model}”.', { code: 'core.no_model', params: { model } });
  const theirs = ctx.as({ user });
  // The record is looked at as it is, to say whether a rule covers it.
  const all = boundOf(ctx.sudo().modelNamed(model)).self;
  const exists = id === undefined || (await countWithInactive(all, compiled, [['id', '=', id]])) > 0;
  const grants = [...(registry.access.rights.get(model) ?? [])]
    .filter(([, given]) => given.has(operation))
    .map(([group]) => ({ group, member: group === '*' || user.groups.has(group) }));
  for (const { code, grants: granted } of await roleGrants(ctx))
    if (granted?.get(model)?.has(operation)) grants.push({ group: code, member: user.groups.has(code) });
  const rules: AccessExplanation['rules'][number][] = [];
  for (const rule of registry.access.rules.get(model) ?? []) {
    if (!rule.operations.has(operation)) continue;
    const applies = rule.groups.length === 0 || rule.groups.some((group) => user.groups.has(group));
    const domain = applies ? await rule.domain(theirs) : null;
    const covers =
      domain === null || id === undefined
        ? null
        : (await countWithInactive(all, compiled, [['id', '=', id], ...domain])) > 0;
    const { addon, groups } = rule;
    rules.push({ id: rule.id, addon, groups, operations: sorted(rule.operations), applies, domain, covers });
  }
  const granted = grants.some(({ member }) => member);
  const isAllowed =
    id === undefined || operation === 'create'
      ? granted
      : granted && (await theirs.modelNamed(model).allowed([id], operation)).length > 0;
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
