import {
  AddonConsent,
  AuditEntry,
  Company,
  Country,
  Currency,
  Group,
  Language,
  Partner,
  Sequence,
  User,
} from '@pergola/base';
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
        label: 'Contact details',
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
      { id: 'persons', label: 'People', domain: [['is_company', '=', false]] },
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
        label: 'Enable',
        primary: true,
        when: [['active', '=', false]],
        confirm:
          'Users can choose this language, as can visitors of websites that offer it. Existing translations are shown again.',
      },
      {
        method: 'switch_off',
        label: 'Disable',
        when: [['active', '=', true]],
        confirm:
          'Visitors can no longer choose this language. Its addresses, such as /fr/shop, won’t be found until you enable it again, and links to them from other sites and search engines will break. Users who chose it will see the default language. Translations are kept.',
      },
    ],
    sections: [{ items: ['code', 'url_code', 'sequence'] }],
  }),
  view.list(AddonConsent, { columns: ['addon', 'version', 'consented_by', 'consented_at', 'summary'] }),
  view.form(AddonConsent, {
    title: 'addon',
    sections: [{ items: ['version', 'consented_by', 'consented_at', 'digest', { field: 'summary', wide: true }] }],
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
      { id: 'sign_ins', label: 'Sign-in', domain: [['kind', 'in', ['sign_in', 'sign_in_failed']]] },
      { id: 'failed', label: 'Failed sign-ins', domain: [['kind', '=', 'sign_in_failed']] },
      { id: 'rights', label: 'Users and rights', domain: [['res_model', 'in', ['res.users', 'res.groups']]] },
      { id: 'settings', label: 'Settings and apps', domain: [['kind', 'in', ['setting', 'app']]] },
      { id: 'programs', label: 'Through the API', domain: [['by_token', '=', true]] },
    ],
    groups: [
      { id: 'user', label: 'User', by: 'user_id' },
      { id: 'model', label: 'Model', by: 'res_model' },
      { id: 'kind', label: 'Action', by: 'kind' },
      { id: 'day', label: 'Day', by: 'date:day' },
    ],
  }),
  view.list(Sequence, { columns: ['code', 'name', 'prefix', 'padding', 'number_next'] }),

  view.form(WebUser, {
    adds: true,
    buttons: [
      {
        method: 'action_reset_password',
        label: 'Send password link',
        confirm: 'Email this user a link to choose a password?',
        groups: ['base.group_erp_manager'],
      },
    ],
  }),
];
