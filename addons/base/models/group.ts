import { type FieldsOf, f, type Id, type Ids, model, NotAllowed, type Values } from '#core';
import { linkedBy } from '#core/orm';

/** Kinds of users rather than rights: whoever makes accounts makes those of customers. */
const kinds: ReadonlySet<string> = new Set(['base.group_portal', 'base.group_public']);

/** A group of users as a record; which groups there are and what they imply is declared by addons and only mirrored here. */
export class Group extends model(
  'res.groups',
  {
    name: f.char({ required: true, readonly: true, translate: true }),
    code: f.char({ required: true, unique: true, readonly: true, label: 'External id' }),
    category: f.char({ readonly: true, translate: true }),
    implied_ids: f.many2many('res.groups', {
      readonly: true,
      label: 'Implies',
      relation: { table: 'res_groups_implied_rel', from: 'group_id', to: 'implied_id' },
    }),
    user_ids: f.many2many('res.users', {
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
      const grown = rows.filter(({ user_ids }) => members.some((user) => !user_ids.includes(user)));
      await this.requireMayGive(grown.map(({ id }) => id));
    }
    return super.beforeWrite(ids, values);
  }

  /**
   * Makes sure that the caller gives no rights they do not have: everything a group implies counts. Who manages the settings may give all.
   *
   * @throws NotAllowed naming the group
   */
  async requireMayGive(given: Ids): Promise<void> {
    const { ctx } = this;
    if (ctx.su || given.length === 0 || ctx.has('base.group_system')) return;
    const groups = ctx.sudo().model(Group); // What a group implies decides, whether or not the caller sees groups.
    const seen = new Set<Id>();
    let next = [...given];
    while (next.length > 0) {
      for (const id of next) seen.add(id);
      const rows = await groups.read(next, { select: { code: true, name: true, implied_ids: true } });
      const more = rows.find(({ code }) => !ctx.user.groups.has(code) && !kinds.has(code));
      if (more)
        throw new NotAllowed('You may not give the group “{group}”: you are not in it yourself.', {
          code: 'base.group_not_own',
          params: { group: more.name },
        });
      next = [...new Set(rows.flatMap(({ implied_ids }) => implied_ids))].filter((id) => !seen.has(id));
    }
  }
}

declare module '#core' {
  interface Models {
    'res.groups': Group;
  }
}
