import type { TableSpec } from '@pergola/db';

/**
 * The outbox. `waiting` until a job has handed the email over, `sent` afterwards, `kept` without a mail server, `failed` if the server
 * permanently refused it, `delivered` or `bounced` after a later report, `withdrawn` if the recipient unsubscribed before.
 */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_outbox',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'message_id', kind: 'text', notNull: true },
      { name: 'key', kind: 'text' },
      { name: 'email', kind: 'text', notNull: true },
      { name: 'recipient', kind: 'text' },
      { name: 'subject', kind: 'text', notNull: true },
      { name: 'html', kind: 'text', notNull: true },
      { name: 'text', kind: 'text', notNull: true },
      { name: 'reply_to', kind: 'json' },
      { name: 'headers', kind: 'json' },
      { name: 'attachments', kind: 'json' },
      { name: 'state', kind: 'text', notNull: true, default: 'waiting' },
      { name: 'error', kind: 'text' },
      { name: 'create_date', kind: 'datetime', notNull: true },
      { name: 'sent_date', kind: 'datetime' },
      { name: 'res_model', kind: 'text' },
      { name: 'res_id', kind: 'integer' },
    ],
    indexes: [
      { name: 'core_outbox_state', columns: ['state', 'create_date'] },
      { name: 'core_outbox_key', columns: ['key'], unique: true, where: 'key is not null' },
      { name: 'core_outbox_email', columns: ['email', 'create_date'] },
      { name: 'core_outbox_message', columns: ['message_id'] },
    ],
  },
];
