import { menu, view } from '@pergola/web';
import { SignInProvider } from './models/auth-provider.ts';
import { AccessToken } from './models/auth-token.ts';
import { KeyGroup } from './models/res-groups.ts';
import { KeyUser } from './models/res-users.ts';

const managers = ['base.group_erp_manager'];

export const menus = [
  menu('auth.menu_tokens', {
    label: 'Access tokens',
    parent: 'web.menu_people',
    model: AccessToken,
    groups: managers,
    after: 'web.menu_rights',
  }),
  menu('auth.menu_providers', {
    label: 'Sign-in providers',
    parent: 'web.menu_people',
    model: SignInProvider,
    groups: ['base.group_system'],
    after: 'auth.menu_tokens',
  }),
];

export const views = [
  view.list(SignInProvider, { columns: ['name', 'issuer', 'client_id', 'has_secret', 'active'] }),
  view.form(SignInProvider, {
    title: 'name',
    sections: [{ items: ['issuer', 'client_id', 'client_secret', 'has_secret', 'sequence', 'active'] }],
  }),
  view.list(AccessToken, {
    columns: ['user_id', 'name', 'hint', 'covers', 'expires', 'last_use', { field: 'last_address', optional: true }],
  }),
  view.form(AccessToken, {
    title: 'name',
    sections: [{ items: ['user_id', 'hint', 'expires', 'last_use', 'last_address', { field: 'covers', wide: true }] }],
  }),
  view.search(AccessToken, { fields: ['name', 'user_id'] }),
  view.list(KeyGroup, { adds: true, columns: ['second_step'] }),
  view.form(KeyUser, {
    adds: true,
    buttons: [
      {
        method: 'action_remove_second_step',
        label: 'Remove two-factor authentication',
        when: [['has_second_step', '=', true]],
        confirm: 'Remove this user’s authenticator app, passkeys and recovery codes? They’ll be notified by email.',
        groups: managers,
      },
      {
        method: 'action_revoke_tokens',
        label: 'Revoke access tokens',
        when: [['token_count', '>', 0]],
        confirm:
          'Revoke all of this user’s access tokens? Programs that use them will stop working. The user will be notified by email.',
        groups: managers,
      },
    ],
    sections: [{ label: 'Sign-in security', items: ['has_second_step', 'token_count'] }],
  }),
];
