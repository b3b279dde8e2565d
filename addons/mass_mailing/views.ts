import { menu, view } from '@pergola/web';
import { Contact } from './models/contact.ts';
import { Exclusion } from './models/exclusion.ts';
import { MailingLink } from './models/link.ts';
import { MailingList } from './models/list.ts';
import { BounceMailbox } from './models/mailbox.ts';
import { Mailing } from './models/mailing.ts';
import { MailRecipient } from './models/recipient.ts';
import { Subscription } from './models/subscription.ts';

const open = [['state', 'in', ['draft', 'in_queue']]];
const started = [['state', 'not in', ['draft', 'in_queue']]];

export const views = [
  view.list(Mailing, {
    columns: [
      'name',
      'state',
      'contact_list_ids',
      'progress',
      'total',
      'held',
      'sent',
      'bounced',
      'unsubscribed',
      { field: 'delivered', optional: true },
      { field: 'sent_date', optional: true },
      { field: 'schedule_date', optional: true },
    ],
  }),
  view.form(Mailing, {
    title: 'name',
    status: 'state',
    buttons: [
      {
        method: 'send_mail',
        label: 'Send now',
        when: open,
        primary: true,
        confirm: 'Send this mailing to all subscribers on its lists now?',
      },
      { method: 'put_in_queue', label: 'Schedule', when: [['state', '=', 'draft']] },
      { method: 'send_mail', label: 'Resume', when: [['state', '=', 'paused']], primary: true },
      { method: 'cancel_mass_mailing', label: 'Pause', when: [['state', '=', 'sending']] },
      { method: 'cancel_mass_mailing', label: 'Set to draft', when: [['state', '=', 'in_queue']] },
      { method: 'action_test_mailing', label: 'Send test email', when: open },
    ],
    sections: [
      {
        items: [
          'name',
          'preheader',
          'contact_list_ids',
          'schedule_date',
          { field: 'test_emails', when: open },
          'preview_url',
          { field: 'held', when: [['held', '>', 0]] },
          { field: 'pause_reason', when: [['state', '=', 'paused']] },
          { field: 'last_error', when: [['last_error', '!=', false]] },
        ],
      },
      {
        label: 'Sender',
        items: ['email_from', 'reply_to', 'rate', 'user_id'],
      },
    ],
    tabs: [
      {
        label: 'Content',
        sections: [
          { items: ['layout', 'headline', 'image'] },
          { items: [{ field: 'body_html', wide: true }] },
          { items: ['button_label', 'button_url'] },
          { items: [{ field: 'attachment_ids', widget: 'files', wide: true }] },
        ],
      },
      {
        label: 'Statistics',
        sections: [
          { items: ['total', 'scheduled', 'held', 'sent', 'delivered', 'failed', 'bounced', 'complained', 'skipped'] },
          { items: ['opened', 'clicked', 'unsubscribed', 'progress', 'started_date', 'sent_date'] },
        ],
      },
      {
        label: 'Recipients',
        sections: [
          {
            items: [
              {
                field: 'statistics_ids',
                columns: ['email', 'state', 'reason', 'exception', 'sent', 'next_at'],
                wide: true,
                when: started,
              },
            ],
          },
        ],
      },
      {
        label: 'Tracking',
        sections: [
          { items: ['track_opens', 'track_clicks'] },
          { items: [{ field: 'link_ids', columns: ['url', 'clicks'], wide: true }] },
        ],
      },
    ],
  }),
  view.search(Mailing, {
    fields: ['name'],
    filters: [
      { id: 'drafts', label: 'Drafts', domain: [['state', '=', 'draft']] },
      { id: 'under_way', label: 'In progress', domain: [['state', 'in', ['in_queue', 'sending', 'paused']]] },
      { id: 'done', label: 'Done', domain: [['state', '=', 'done']] },
    ],
    groups: [{ id: 'state', label: 'Status', by: 'state' }],
  }),
  view.kanban(Mailing, { title: 'name', lines: ['state', 'sent_date', 'total'] }),
  view.calendar(Mailing, { title: 'name', start: 'schedule_date' }),
  view.graph(Mailing, { measure: '__count', groupBy: ['sent_date:month', 'state'] }),
  view.pivot(Mailing, { rows: ['sent_date:month'], columns: ['state'], measures: ['__count'] }),
  view.list(MailingList, {
    columns: ['sequence', 'name', 'is_public', 'contact_nbr', { field: 'active', optional: true }],
  }),
  view.form(MailingList, {
    title: 'name',
    counts: [
      {
        label: 'Subscriptions',
        icon: 'people',
        model: 'mail.mass_mailing.subscription',
        by: 'list_id',
        menu: 'mass_mailing.menu_subscriptions',
      },
    ],
    buttons: [
      { method: 'add_addresses', label: 'Add addresses', when: [['new_addresses', '!=', null]], primary: true },
    ],
    sections: [{ items: ['is_public', 'active', 'sequence', 'contact_nbr', { field: 'description', wide: true }] }],
    tabs: [
      {
        label: 'Subscribers',
        sections: [
          {
            items: [
              {
                field: 'subscription_ids',
                columns: ['contact_id', 'date', 'source', 'opt_out', 'opt_out_date'],
                wide: true,
              },
            ],
          },
        ],
      },
      { label: 'Add addresses', sections: [{ items: [{ field: 'new_addresses', wide: true }] }] },
    ],
  }),
  view.list(Contact, { columns: ['email', 'name', 'list_ids', 'message_bounce', { field: 'lang', optional: true }] }),
  view.form(Contact, {
    title: 'email',
    sections: [{ items: ['email', 'name', 'lang', 'list_id', 'message_bounce'] }],
    tabs: [
      {
        label: 'Subscriptions',
        sections: [
          {
            items: [
              {
                field: 'subscription_ids',
                columns: ['list_id', 'date', 'source', 'opt_out', 'opt_out_date'],
                wide: true,
              },
            ],
          },
        ],
      },
    ],
  }),
  view.search(Contact, {
    fields: ['email', 'name'],
    filters: [{ id: 'bounced', label: 'Undelivered', domain: [['message_bounce', '>', 0]] }],
  }),
  view.list(Subscription, { columns: ['contact_id', 'list_id', 'date', 'source', 'opt_out', 'opt_out_date'] }),
  view.search(Subscription, {
    filters: [
      { id: 'on', label: 'Subscribed', domain: [['opt_out', '=', false]] },
      { id: 'off', label: 'Unsubscribed', domain: [['opt_out', '=', true]] },
    ],
    groups: [{ id: 'list', label: 'Mailing list', by: 'list_id' }],
  }),
  view.list(Exclusion, { columns: ['email', 'reason', 'note', 'create_date'], editable: true }),
  view.search(Exclusion, { fields: ['email'], groups: [{ id: 'reason', label: 'Reason', by: 'reason' }] }),
  view.list(MailRecipient, {
    columns: [
      'mass_mailing_id',
      'email',
      'state',
      'reason',
      'exception',
      'sent',
      { field: 'opened', optional: true },
      { field: 'clicked', optional: true },
      'bounced',
      'unsubscribed',
    ],
    order: 'id desc',
  }),
  view.search(MailRecipient, {
    fields: ['email'],
    filters: [
      { id: 'waiting', label: 'Waiting', domain: [['state', '=', 'waiting']] },
      { id: 'held', label: 'Held (no mail server)', domain: [['state', '=', 'held']] },
      { id: 'trouble', label: 'Refused or bounced', domain: [['state', 'in', ['failed', 'bounced', 'complained']]] },
    ],
    groups: [
      { id: 'mailing', label: 'Mailing', by: 'mass_mailing_id' },
      { id: 'state', label: 'Status', by: 'state' },
      { id: 'reason', label: 'Reason', by: 'reason' },
    ],
  }),
  view.graph(MailRecipient, { measure: '__count', groupBy: ['mass_mailing_id', 'state'] }),
  view.pivot(MailRecipient, { rows: ['mass_mailing_id'], columns: ['state'], measures: ['__count'] }),
  view.list(MailingLink, { columns: ['mass_mailing_id', 'url', 'clicks'] }),
  view.list(BounceMailbox, { columns: ['name', 'kind', 'active', 'last_read', 'found', 'last_error'] }),
  view.form(BounceMailbox, {
    title: 'name',
    buttons: [{ method: 'read_now', label: 'Check now', primary: true }],
    sections: [
      { items: ['kind', 'active'] },
      {
        label: 'Mail server',
        items: (['host', 'port', 'secure', 'login', 'password', 'has_password', 'folder'] as const).map((field) => ({
          field,
          when: [['kind', '=', 'imap']],
        })),
      },
      { label: 'File or folder', items: [{ field: 'path', when: [['kind', '!=', 'imap']] }] },
      { label: 'Status', items: ['last_read', 'found', 'last_error'] },
    ],
  }),
];

const user = ['mass_mailing.group_user'];

export const menus = [
  menu('mass_mailing.menu_root', { label: 'Mailings', icon: 'send', groups: user }),
  menu('mass_mailing.menu_mailings', {
    label: 'All mailings',
    parent: 'mass_mailing.menu_root',
    model: Mailing,
    views: ['list', 'kanban', 'calendar', 'form'],
    groups: user,
  }),
  menu('mass_mailing.menu_audience', {
    label: 'Audience',
    parent: 'mass_mailing.menu_root',
    groups: user,
    after: 'mass_mailing.menu_mailings',
  }),
  menu('mass_mailing.menu_lists', {
    label: 'Mailing lists',
    parent: 'mass_mailing.menu_audience',
    model: MailingList,
    groups: user,
  }),
  menu('mass_mailing.menu_contacts', {
    label: 'Contacts',
    parent: 'mass_mailing.menu_audience',
    model: Contact,
    groups: user,
    after: 'mass_mailing.menu_lists',
  }),
  menu('mass_mailing.menu_subscriptions', {
    label: 'Subscriptions',
    parent: 'mass_mailing.menu_audience',
    model: Subscription,
    groups: user,
    after: 'mass_mailing.menu_contacts',
  }),
  menu('mass_mailing.menu_excluded', {
    label: 'Excluded addresses',
    parent: 'mass_mailing.menu_audience',
    model: Exclusion,
    groups: user,
    after: 'mass_mailing.menu_subscriptions',
  }),
  menu('mass_mailing.menu_recipients', {
    label: 'Recipients',
    parent: 'mass_mailing.menu_root',
    model: MailRecipient,
    groups: user,
    after: 'mass_mailing.menu_audience',
  }),
  menu('mass_mailing.menu_mailboxes', {
    label: 'Bounce mailboxes',
    parent: 'mass_mailing.menu_root',
    model: BounceMailbox,
    groups: ['base.group_system'],
    after: 'mass_mailing.menu_recipients',
  }),
];
