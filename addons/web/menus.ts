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
import { menu } from './points/menus.ts';

const system = ['base.group_system'];

/** Menu entries of addon base, Apps, and the administration screens. */
export const menus = [
  menu('web.menu_contacts', {
    label: 'Contacts',
    icon: 'people',
    model: Partner,
    groups: ['base.group_user'],
    views: ['list', 'kanban', 'form'],
  }),
  menu('web.menu_settings', { label: 'Settings', icon: 'gear', groups: ['base.group_erp_manager'], last: true }),
  menu('web.menu_people', {
    label: 'Users and rights',
    parent: 'web.menu_settings',
    groups: ['base.group_erp_manager'],
  }),
  menu('web.menu_users', {
    label: 'Users',
    parent: 'web.menu_people',
    model: User,
    groups: ['base.group_erp_manager'],
  }),
  menu('web.menu_groups', {
    label: 'Groups',
    parent: 'web.menu_people',
    model: Group,
    groups: ['base.group_erp_manager'],
  }),
  menu('web.menu_companies', {
    label: 'Companies',
    parent: 'web.menu_settings',
    model: Company,
    groups: ['base.group_system'],
  }),
  menu('web.menu_places', {
    label: 'Languages and currencies',
    parent: 'web.menu_settings',
    groups: ['base.group_system'],
  }),
  menu('web.menu_languages', {
    label: 'Languages',
    parent: 'web.menu_places',
    model: Language,
    // Includes inactive ones, which are activated here.
    domain: [['active', 'in', [true, false]]],
    groups: ['base.group_system'],
  }),
  menu('web.menu_currencies', {
    label: 'Currencies',
    parent: 'web.menu_places',
    model: Currency,
    groups: ['base.group_system'],
  }),
  menu('web.menu_countries', {
    label: 'Countries',
    parent: 'web.menu_places',
    model: Country,
    groups: ['base.group_system'],
  }),
  menu('web.menu_technical', { label: 'System', parent: 'web.menu_settings', groups: ['base.group_system'] }),
  menu('web.menu_sequences', {
    label: 'Sequences',
    parent: 'web.menu_technical',
    model: Sequence,
    groups: ['base.group_system'],
  }),

  menu('web.menu_apps', { label: 'Apps', icon: 'boxes', url: '/web/apps', groups: system, last: true }),
  menu('web.menu_general_settings', {
    label: 'General settings',
    parent: 'web.menu_settings',
    url: '/web/settings',
    groups: system,
  }),
  menu('web.menu_rights', {
    label: 'Access rights',
    parent: 'web.menu_people',
    url: '/web/settings/rights',
    groups: ['base.group_erp_manager'],
    after: 'web.menu_groups',
  }),
  menu('web.menu_roles', {
    label: 'Roles',
    parent: 'web.menu_people',
    url: '/web/settings/roles',
    groups: ['base.group_erp_manager'],
    after: 'web.menu_groups',
  }),
  menu('web.menu_audit', {
    label: 'Audit log',
    parent: 'web.menu_people',
    model: AuditEntry,
    groups: system,
    after: 'web.menu_rights',
  }),
  menu('web.menu_allowed_code', {
    label: 'Allowed code',
    parent: 'web.menu_people',
    model: AddonConsent,
    groups: system,
    after: 'web.menu_audit',
  }),
  menu('web.menu_translations', {
    label: 'Translations',
    parent: 'web.menu_places',
    url: '/web/settings/translations',
    groups: system,
    after: 'web.menu_languages',
  }),
  menu('web.menu_health', {
    label: 'System status',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/health',
  }),
  menu('web.menu_mail_server', {
    label: 'Mail server',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/mail-server',
  }),
  menu('web.menu_mail_texts', {
    label: 'Email templates',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/mail-texts',
  }),
  menu('web.menu_outbox', {
    label: 'Outgoing emails',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/mails',
  }),
  menu('web.menu_jobs', { label: 'Jobs', parent: 'web.menu_technical', groups: system, url: '/web/settings/jobs' }),
  menu('web.menu_backups', {
    label: 'Backups',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/backups',
  }),
  menu('web.menu_changes', {
    label: 'Changes',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/changes',
  }),
  menu('web.menu_sessions', {
    label: 'Sessions',
    parent: 'web.menu_technical',
    groups: system,
    url: '/web/settings/sessions',
  }),
];
