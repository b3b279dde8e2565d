import { menu } from '#core';

const system = ['base.group_system'];

/** Apps, and the screens of whoever runs the site. */
export const menus = [
  menu('web.menu_apps', { label: 'Apps', icon: 'boxes', url: '/web/apps', groups: system, last: true }),
  menu('web.menu_general_settings', {
    label: 'General settings',
    parent: 'base.menu_settings',
    url: '/web/settings',
    groups: system,
  }),
  menu('web.menu_rights', {
    label: 'Access rights',
    parent: 'base.menu_people',
    url: '/web/settings/rights',
    groups: ['base.group_erp_manager'],
    after: 'base.menu_groups',
  }),
  menu('web.menu_translations', {
    label: 'Translations',
    parent: 'base.menu_places',
    url: '/web/settings/translations',
    groups: system,
    after: 'base.menu_languages',
  }),
  menu('web.menu_health', {
    label: 'State of the system',
    parent: 'base.menu_technical',
    groups: system,
    url: '/web/settings/health',
  }),
  menu('web.menu_outbox', {
    label: 'Outgoing mails',
    parent: 'base.menu_technical',
    groups: system,
    url: '/web/settings/mails',
  }),
  menu('web.menu_jobs', { label: 'Jobs', parent: 'base.menu_technical', groups: system, url: '/web/settings/jobs' }),
  menu('web.menu_sessions', {
    label: 'Sessions',
    parent: 'base.menu_technical',
    groups: system,
    url: '/web/settings/sessions',
  }),
];
