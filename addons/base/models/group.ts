import { f, model } from '#core';

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
) {}

declare module '#core' {
  interface Models {
    'res.groups': Group;
  }
}
