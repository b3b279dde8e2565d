import { menu, view } from '#core';
import { Company } from './models/company.ts';
import { Country } from './models/country.ts';
import { Currency } from './models/currency.ts';
import { Group } from './models/group.ts';
import { Language } from './models/language.ts';
import { Partner } from './models/partner.ts';
import { Sequence } from './models/sequence.ts';
import { User } from './models/user.ts';

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
  view.list(Country, { columns: ['name', 'code', 'phone_code', 'currency_id'] }),
  view.list(Currency, { columns: ['name', 'full_name', 'symbol', 'rate', 'active'], editable: true }),
  view.list(Language, { columns: ['name', 'code', 'url_code', 'active'] }),
  view.list(Sequence, { columns: ['code', 'name', 'prefix', 'padding', 'number_next'] }),
];

export const menus = [
  menu('base.menu_contacts', {
    label: 'Contacts',
    icon: 'people',
    model: Partner,
    groups: ['base.group_user'],
    views: ['list', 'kanban', 'form'],
  }),
  menu('base.menu_settings', { label: 'Settings', icon: 'gear', groups: ['base.group_erp_manager'], last: true }),
  menu('base.menu_people', {
    label: 'Users and rights',
    parent: 'base.menu_settings',
    groups: ['base.group_erp_manager'],
  }),
  menu('base.menu_users', {
    label: 'Users',
    parent: 'base.menu_people',
    model: User,
    groups: ['base.group_erp_manager'],
  }),
  menu('base.menu_groups', {
    label: 'Groups',
    parent: 'base.menu_people',
    model: Group,
    groups: ['base.group_erp_manager'],
  }),
  menu('base.menu_companies', {
    label: 'Companies',
    parent: 'base.menu_settings',
    model: Company,
    groups: ['base.group_system'],
  }),
  menu('base.menu_places', {
    label: 'Languages and currencies',
    parent: 'base.menu_settings',
    groups: ['base.group_system'],
  }),
  menu('base.menu_languages', {
    label: 'Languages',
    parent: 'base.menu_places',
    model: Language,
    groups: ['base.group_system'],
  }),
  menu('base.menu_currencies', {
    label: 'Currencies',
    parent: 'base.menu_places',
    model: Currency,
    groups: ['base.group_system'],
  }),
  menu('base.menu_countries', {
    label: 'Countries',
    parent: 'base.menu_places',
    model: Country,
    groups: ['base.group_system'],
  }),
  menu('base.menu_technical', { label: 'System', parent: 'base.menu_settings', groups: ['base.group_system'] }),
  menu('base.menu_sequences', {
    label: 'Sequences',
    parent: 'base.menu_technical',
    model: Sequence,
    groups: ['base.group_system'],
  }),
];
