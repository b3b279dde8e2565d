import { type FieldsOf, f, type Ids, model, type Values } from '#core';
import { linkedBy } from '#core/orm';
import { requireMayGive } from './giving.ts';

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
      await requireMayGive(
        this.ctx,
        grown.map(({ id }) => id),
      );
    }
    return super.beforeWrite(ids, values);
  }
}

declare module '#core' {
  interface Models {
    'res.groups': Group;
  }
}
