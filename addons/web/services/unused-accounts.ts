import { Partner, User } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { type CompiledModel, models } from 'pergola/orm';

/** An account and its contact. */
interface Account {
  readonly id: Id;
  readonly contact: Id;
}

/** Models whose records don't count as use of an account: the audit log stays anyway, and list preferences aren't work. */
const followsAlong = new Set(['ir.audit', 'web.preference']);

/**
 * Returns the unused accounts: no record of any model was created by them, refers to them or their contact, or is attached to either. Needs
 * elevated rights.
 */
export async function unusedAccounts(ctx: Ctx, accounts: readonly Account[]): Promise<Account[]> {
  if (accounts.length === 0) return [];
  const candidateIds = new Map([
    ['res.users', new Set(accounts.map(({ id }) => id))],
    ['res.partner', new Set(accounts.map(({ contact }) => contact))],
  ]);
  const used = new Map([...candidateIds.keys()].map((name) => [name, new Set<Id>()]));
  for (const model of ctx.get(models).models.values()) {
    if (followsAlong.has(model.name)) continue;
    const records = ctx.modelNamed(model.name);
    const all = model.fields.has('active') ? [['active', 'in', [true, false]]] : [];
    for (const { field, to } of linksOf(model)) {
      const domain = [[field, 'in', [...(candidateIds.get(to) ?? [])]], ...all];
      const rows = await records.find(domain as never, { select: { [field]: true } });
      // Ignores the references between an account and its contact.
      const foreignRows = rows.filter(({ id }) => !candidateIds.get(model.name)?.has(id));
      for (const id of foreignRows.flatMap((row) => [row[field]].flat())) used.get(to)?.add(Number(id));
    }
    const { attachedTo } = model.options;
    if (!attachedTo) continue;
    for (const [name, ids] of candidateIds) {
      const domain = [[attachedTo.model, '=', name], [attachedTo.id, 'in', [...ids]], ...all];
      const rows = await records.find(domain as never, { select: { [attachedTo.id]: true } });
      for (const row of rows) used.get(name)?.add(Number(row[attachedTo.id]));
    }
  }
  return accounts.filter(
    ({ id, contact }) => !used.get('res.users')?.has(id) && !used.get('res.partner')?.has(contact),
  );
}

/** Returns the fields of a model that refer to accounts or contacts, without the last editor. */
function linksOf(model: CompiledModel): { field: string; to: string }[] {
  return [...model.fields.values()].flatMap(({ name, relation, column, related }) => {
    if (related !== null || name === 'write_uid' || relation === null || relation.kind === 'one2many') return [];
    if (relation.kind === 'many2one' && column === null) return [];
    const isLink = relation.to === 'res.users' || relation.to === 'res.partner';
    // Membership in groups isn't use of an account.
    return isLink && model.name !== 'res.groups' ? [{ field: name, to: relation.to }] : [];
  });
}

/** Deletes accounts together with their contacts. */
export async function deleteAccounts(ctx: Ctx, accounts: readonly Account[]): Promise<void> {
  await ctx.model(User).unlink(accounts.map(({ id }) => id));
  await ctx.model(Partner).unlink(accounts.map(({ contact }) => contact));
}
