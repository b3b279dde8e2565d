import { AuditEntry, Company, Country, Currency, Group, Language, Partner, Sequence, User } from '@pergola/base';
import { WebUser } from './models/res-users.ts';
import { view } from './points/views.ts';

/** Backend views of the models of addon base, which doesn't depend on the backend, and the additions of this addon. */
export const views = [
  view.list(Partner, {
    columns: ['name', 'email', 'phone', 'city', 'country_id', { field: 'is_company', optional: true }],
  }),
  view.form(Partner, {
    title: 'name',
    image: 'image',
    sections: [
      { items: ['is_company', 'parent_id', { field: 'type', when: [['parent_id', '!=', null]] }, 'function'] },
      { label: 'Address', items: ['street', 'street2', 'zip', 'city', 'state_id', 'country_id'] },
      {
        label: 'Reach',
        items: [
          'email',
          'phone',
          'mobile',
          'website',
          { field: 'lang', widget: 'language' },
          { field: 'tz', widget: 'timezone' },
        ],
      },
    ],
    tabs: [
      {
        label: 'Contacts and addresses',
        sections: [{ items: [{ field: 'child_ids', columns: ['name', 'type', 'email', 'city'], wide: true }] }],
      },
      { label: 'Notes', sections: [{ items: [{ field: 'comment', wide: true }, 'vat', 'company_id', 'active'] }] },
    ],
  }),
  view.kanban(Partner, { title: 'name', image: 'image', lines: ['email', 'city', 'country_id'] }),
  view.search(Partner, {
    fields: ['name', 'email', 'city'],
    filters: [
      { id: 'companies', label: 'Companies', domain: [['is_company', '=', true]] },
      { id: 'persons', label: 'Persons', domain: [['is_company', '=', false]] },
      { id: 'archived', label: 'Archived', domain: [['active', '=', false]] },
    ],
    groups: [{ id: 'country', label: 'Country', by: 'country_id' }],
  }),
  view.list(User, { columns: ['login', 'name', 'email', 'active', 'login_date'] }),
  view.form(User, {
    title: 'name',
    sections: [
      {
        items: [
          'login',
          { field: 'wanted_login', when: [['wanted_login', '!=', null]] },
          'email',
          'partner_id',
          'company_id',
          { field: 'lang', widget: 'language' },
          { field: 'tz', widget: 'timezone' },
          'active',
          'login_date',
        ],
      },
      { label: 'Groups', items: [{ field: 'group_ids', wide: true }] },
    ],
  }),
  view.list(Group, { columns: ['category', 'name', 'code'] }),
  view.list(Company, { columns: ['name', 'currency_id', 'email'] }),
  view.form(Company, {
    title: 'name',
    image: 'logo',
    sections: [
      { label: 'Address', items: ['street', 'street2', 'zip', 'city', 'country_id'] },
      { label: 'Contact details', items: ['email', 'phone', 'vat', 'registry', 'currency_id', 'partner_id'] },
    ],
  }),
  view.list(Country, { columns: ['name', 'code', 'phone_code', 'currency_id'] }),
  view.list(Currency, { columns: ['name', 'full_name', 'symbol', 'rate', 'active'], editable: true }),
  view.list(Language, { columns: ['name', 'code', 'url_code', 'sequence', 'active'] }),
  view.form(Language, {
    title: 'name',
    buttons: [
      {
        method: 'switch_on',
        label: 'Switch on',
        primary: true,
        when: [['active', '=', false]],
        confirm:
          'Accounts can choose it, and visitors of the websites that have it among their languages. What was translated before is shown again.',
      },
      {
        method: 'switch_off',
        label: 'Switch off',
        when: [['active', '=', true]],
        confirm:
          'Visitors cannot choose it any more. Its addresses, such as /fr/shop, are not found until it is switched on again; links to them from elsewhere, from search engines too, lead nowhere. Whoever had chosen it sees the default language. All translations stay.',
      },
    ],
    sections: [{ items: ['code', 'url_code', 'sequence'] }],
  }),
  view.list(AuditEntry, {
    columns: [
      'record',
      'kind',
      'field_label',
      'before',
      'after',
      'user_id',
      'date',
      'address',
      { field: 'by_token', optional: true },
      { field: 'res_model', optional: true },
      { field: 'res_id', optional: true },
    ],
  }),
  view.form(AuditEntry, {
    title: 'record',
    sections: [
      { items: ['date', 'user_id', 'by_token', 'address', 'kind'] },
      {
        items: ['res_model', 'res_id', 'field_label', { field: 'before', wide: true }, { field: 'after', wide: true }],
      },
    ],
  }),
  view.search(AuditEntry, {
    fields: ['user_id', 'res_model', 'field', 'address'],
    filters: [
      { id: 'sign_ins', label: 'Signing in', domain: [['kind', 'in', ['sign_in', 'sign_in_failed']]] },
      { id: 'failed', label: 'Wrong passwords', domain: [['kind', '=', 'sign_in_failed']] },
      { id: 'rights', label: 'Users and rights', domain: [['res_model', 'in', ['res.users', 'res.groups']]] },
      { id: 'settings', label: 'Settings and apps', domain: [['kind', 'in', ['setting', 'app']]] },
      { id: 'programs', label: 'By programs', domain: [['by_token', '=', true]] },
    ],
    groups: [
      { id: 'user', label: 'Person', by: 'user_id' },
      { id: 'model', label: 'Model', by: 'res_model' },
      { id: 'kind', label: 'What', by: 'kind' },
      { id: 'day', label: 'Day', by: 'date:day' },
    ],
  }),
  view.list(Sequence, { columns: ['code', 'name', 'prefix', 'padding', 'number_next'] }),

  view.form(WebUser, {
    adds: true,
    buttons: [
      {
        method: 'action_reset_password',
        label: 'Send a link to choose a password',
        confirm: 'Send this user a mail with a link to choose a password?',
        groups: ['base.group_erp_manager'],
      },
    ],
  }),
];
