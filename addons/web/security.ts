import { access, rule } from 'pergola';
import { SavedFilter } from './models/ir-filters.ts';
import { Preference } from './models/web-preference.ts';

export const lists = [
  access(SavedFilter, { 'base.group_user': 'rwcd' }),
  access(Preference, { 'base.group_user': 'rwcd' }),
];

export const rules = [
  // A user's own and shared views.
  rule('web.filters_seen', SavedFilter, {
    groups: ['base.group_user'],
    operations: 'r',
    domain: (ctx) => ['|', ['user_id', '=', null], ['user_id', '=', ctx.user.id ?? 0]],
  }),
  // Shared views can only be changed by their creator.
  rule('web.filters_changed', SavedFilter, {
    groups: ['base.group_user'],
    operations: 'wcd',
    domain: (ctx) => [
      '|',
      ['user_id', '=', ctx.user.id ?? 0],
      '&',
      ['user_id', '=', null],
      ['create_uid', '=', ctx.user.id ?? 0],
    ],
  }),
  rule('web.filters_all', SavedFilter, {
    groups: ['base.group_system'],
    operations: 'wd',
    domain: () => [],
  }),
  rule('web.own_preferences', Preference, { domain: (ctx) => [['user_id', '=', ctx.user.id ?? 0]] }),
];
