import { randomUUID } from 'node:crypto';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, NotAllowed, NotFound, type Values } from 'pergola';
import { endSessions } from 'pergola/http';
import { firstNotOwn, type KeptRights, linkedBy } from 'pergola/orm';
import { keepAnAdministrator } from '../administrators.ts';
import { endShrunk } from '../lost-rights.ts';
import { t } from '../texts.ts';
import { AuditEntry, type AuditNote } from './audit.ts';

/** Types of users rather than rights: anyone who can create accounts can create customers. */
const kinds: ReadonlySet<string> = new Set(['base.group_portal', 'base.group_public']);

/** Editable values of a role. */
export interface RoleValues {
  /** Null for a new role. */
  readonly id: Id | null;
  readonly name: string;
  readonly rights: KeptRights;
  /** Addon groups that its members also belong to. */
  readonly implied: Ids;
}

/**
 * A user group. Groups of addons and their implications are declared in code and only mirrored here; a *role* is a group created by an
 * administrator, with its own rights.
 */
export class Group extends model(
  'res.groups',
  {
    name: f.char({ required: true, readonly: true, translate: true, tracked: true }),
    code: f.char({ required: true, unique: true, readonly: true, label: 'External ID' }),
    category: f.char({ readonly: true, translate: true }),
    is_role: f.boolean({ readonly: true, label: 'Role' }),
    rights: f.json<KeptRights>({ readonly: true, tracked: true }),
    implied_ids: f.many2many('res.groups', {
      empty: 'none',
      readonly: true,
      tracked: true,
      label: 'Includes',
      relation: { table: 'res_groups_implied_rel', from: 'group_id', to: 'implied_id' },
    }),
    user_ids: f.many2many('res.users', {
      empty: 'none',
      label: 'Users',
      relation: { table: 'res_groups_users_rel', from: 'group_id', to: 'user_id' },
    }),
  },
  { order: 'category, name', label: 'Group' },
) {
  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Group>>): Promise<Values<FieldsOf<Group>>> {
    const members = linkedBy(values.user_ids);
    if (members.length > 0 && !this.ctx.su) {
      const rows = await this.read(ids, { select: { user_ids: true } });
      const extended = rows.filter(({ user_ids }) => members.some((user) => !user_ids.includes(user)));
      await this.requireMayGive(extended.map(({ id }) => id));
    }
    return super.beforeWrite(ids, values);
  }

  override async write(idOrIds: Id | Ids, values: Values<FieldsOf<Group>>): Promise<void> {
    if (!('user_ids' in values)) return super.write(idOrIds, values);
    const { ctx } = this;
    const ids = typeof idOrIds === 'number' ? [idOrIds] : idOrIds;
    const before = await this.#members(ids);
    await keepAnAdministrator(ctx, async () => {
      await super.write(ids, values);
      const after = await this.#members(ids);
      const removed = [...new Set(before).difference(new Set(after))];
      const added = [...new Set(after).difference(new Set(before))];
      // Removed members had the rights of the group until now.
      if (removed.length > 0) await this.requireMayGive(ids);
      await ctx.model('res.users').requireMayManage([...removed, ...added]);
      for (const id of removed) await endSessions(ctx, id, { exceptCurrent: id === ctx.user.id });
    });
  }

  override async unlink(idOrIds: Id | Ids): Promise<void> {
    return keepAnAdministrator(this.ctx, () => super.unlink(idOrIds));
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.requireMayGive(ids);
    await this.ctx.model('res.users').requireMayManage(await this.#members(ids));
    await super.beforeUnlink(ids);
  }

  async #members(ids: Ids): Promise<Ids> {
    const groups = this.ctx.sudo().model(Group); // Counts all members, regardless of the caller's access to users.
    const rows = await groups.read(ids, { select: { user_ids: true } });
    return rows.flatMap(({ user_ids }) => user_ids);
  }

  /**
   * Verifies that the caller only grants rights they have, including all implied groups and the individual rights of roles. Settings
   * administrators can grant everything.
   *
   * @throws NotAllowed naming the group, or the model of a role's right
   */
  async requireMayGive(groupIds: Ids): Promise<void> {
    const { ctx } = this;
    if (ctx.su || groupIds.length === 0 || ctx.has('base.group_system')) return;
    const groups = ctx.sudo().model(Group); // Evaluates implied groups regardless of the caller's access to groups.
    const seen = new Set<Id>();
    let next = [...groupIds];
    while (next.length > 0) {
      for (const id of next) seen.add(id);
      const rows = await groups.read(next, {
        select: { code: true, name: true, is_role: true, rights: true, implied_ids: true },
      });
      const more = rows.find(({ code, is_role }) => !is_role && !ctx.user.groups.has(code) && !kinds.has(code));
      if (more)
        throw new NotAllowed('You must be in the group “{group}” to assign it, or to change its members.', {
          code: 'base.group_not_own',
          params: { group: more.name },
        });
      for (const { is_role, rights } of rows) if (is_role) this.#requireOwn(rights ?? {}, {});
      next = [...new Set(rows.flatMap(({ implied_ids }) => implied_ids))].filter((id) => !seen.has(id));
    }
  }

  /** Rejects added rights the caller doesn't have; existing rights may stay. */
  #requireOwn(rights: KeptRights, before: KeptRights): void {
    const added = Object.entries(rights).map(([name, letters]) => [
      name,
      [...letters].filter((letter) => !(before[name] ?? '').includes(letter)).join(''),
    ]);
    const more = firstNotOwn(this.ctx, Object.fromEntries(added));
    if (more !== null)
      throw new NotAllowed('You don’t have this right for “{model}” yourself, so your roles can’t have it either.', {
        code: 'base.right_not_own',
        params: { model: more },
      });
  }

  /**
   * Creates or updates a role; returns its ID. Members lose removed rights immediately, along with their sessions.
   *
   * @throws NotAllowed for rights and groups the caller doesn't have, InvalidInput without a name, NotFound if the group isn't a role
   */
  async save_role({ id, name, rights, implied }: RoleValues): Promise<Id> {
    if (name.trim() === '') {
      const message = 'Enter a name for the role.';
      throw new InvalidInput(message, { code: 'base.role_name', fields: { name: message } });
    }
    const roles = this.ctx.sudo().model(Group); // Roles are only written here, after checking each right.
    const [before] = id === null ? [null] : await roles.find(role(id), { select: { rights: true, implied_ids: true } });
    if (before === undefined) throw noRole();
    if (id !== null) await this.#requireMayManageRole(id);
    const granted = Object.fromEntries(Object.entries(rights).filter(([, letters]) => letters !== ''));
    this.#requireOwn(granted, before?.rights ?? {});
    const added = implied.filter((groupId) => !before?.implied_ids.includes(groupId));
    const nested = await roles.search([
      ['id', 'in', [...added]],
      ['is_role', '=', true],
    ]);
    if (nested.length > 0) throw noRole();
    await this.requireMayGive(added);
    const values = { name: name.trim(), rights: granted, implied_ids: [...implied] };
    if (id === null) {
      const code = `role.${randomUUID().slice(0, 8)}`;
      const roleId = await roles.create({ ...values, category: t(this.ctx, 'Roles'), is_role: true, code });
      await this.#note('create', roleId, { new_value: granted });
      return roleId;
    }
    await endShrunk(this.ctx, await this.#members([id]), () => roles.write(id, values));
    return id;
  }

  /** Deletes a role and removes it from all members. */
  async delete_role({ id }: { readonly id: Id }): Promise<boolean> {
    const roles = this.ctx.sudo().model(Group); // Roles are only created and deleted by these methods.
    const [current] = await roles.find(role(id), { select: { rights: true } });
    if (!current) throw noRole();
    await this.#requireMayManageRole(id);
    await this.#note('delete', id, { old_value: current.rights });
    await endShrunk(this.ctx, await this.#members([id]), () => roles.unlink(id));
    return true;
  }

  /** Changing or deleting a role requires its rights and all rights of its members. */
  async #requireMayManageRole(id: Id): Promise<void> {
    await this.requireMayGive([id]);
    await this.ctx.model('res.users').requireMayManage(await this.#members([id]));
  }

  #note(kind: 'create' | 'delete', id: Id, values: Pick<AuditNote, 'old_value' | 'new_value'>): Promise<void> {
    const subject = { kind, res_model: 'res.groups', res_id: id, field: 'rights' } as const;
    return this.ctx.model(AuditEntry).note([{ ...subject, ...values }]);
  }
}

const role = (id: Id) =>
  [
    ['id', '=', id],
    ['is_role', '=', true],
  ] as const;

function noRole(): NotFound {
  return new NotFound('This role doesn’t exist.', { code: 'base.no_role' });
}

declare module 'pergola' {
  interface Models {
    'res.groups': Group;
  }
}
