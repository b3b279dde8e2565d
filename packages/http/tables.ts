import type { TableSpec } from '@pergola/db';

/** Visitor sessions and call counters. */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_session',
    columns: [
      { name: 'id', kind: 'id' },
      // SHA-256 of the cookie's value, so that reading the table doesn't let anyone impersonate a user.
      { name: 'key', kind: 'text', notNull: true },
      { name: 'user_id', kind: 'bigint' },
      { name: 'data', kind: 'json', notNull: true },
      // Digest of the user's groups when the session started; other groups give it a new id.
      { name: 'rights', kind: 'text' },
      { name: 'salt', kind: 'text', notNull: true },
      { name: 'created_at', kind: 'datetime', notNull: true },
      { name: 'seen_at', kind: 'datetime', notNull: true },
      { name: 'expires_at', kind: 'datetime', notNull: true },
      { name: 'ip', kind: 'text', notNull: true },
      { name: 'agent', kind: 'text', notNull: true },
    ],
    indexes: [
      { name: 'core_session_key', columns: ['key'], unique: true },
      { name: 'core_session_user', columns: ['user_id'] },
      { name: 'core_session_seen', columns: ['seen_at'] },
      { name: 'core_session_expires', columns: ['expires_at'] },
    ],
  },
  {
    name: 'core_rate',
    columns: [
      { name: 'key', kind: 'text', notNull: true },
      { name: 'calls', kind: 'text', notNull: true },
      { name: 'expires_at', kind: 'datetime', notNull: true },
    ],
    indexes: [{ name: 'core_rate_expires', columns: ['expires_at'] }],
    primaryKey: ['key'],
  },
];
