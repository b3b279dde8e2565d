import { createHash } from 'node:crypto';
import { Conflict, type Ctx, contextTools, InvalidInput, value } from '@pergola/core';
import { type Connection, type Database, databaseSession, rowsOf, type TableSpec, transactionOf } from '@pergola/db';
import { isSealed, sealWith, tellAudit } from '@pergola/orm';
import { friendlyErrors, ownText, type Translate } from '@pergola/texts';
import type { Setting } from './define.ts';
import { settings } from './point.ts';

const TABLE = 'core_setting';

export const settingTables: readonly TableSpec[] = [
  {
    name: TABLE,
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'value', kind: 'json' },
      { name: 'write_date', kind: 'datetime' },
      { name: 'write_uid', kind: 'bigint' },
    ],
    indexes: [{ name: 'core_setting_name', columns: ['name'], unique: true }],
  },
];

/**
 * Values of settings. All are read at once and cached until the table changes, here or on another node; a context with an open transaction
 * reads them directly.
 */
export class SettingStore {
  readonly #database: Database;
  #kept: { version: number; values: Promise<ReadonlyMap<string, unknown>> } | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Effective value: the default if the setting was never changed, or if its schema rejects the stored value. */
  async get<T>(ctx: Ctx, setting: Setting<T>): Promise<T> {
    const { tracker } = ctx.get(contextTools);
    tracker?.table(TABLE);
    const values = await this.#values(ctx);
    if (!values.has(setting.name)) return setting.fallback;
    const stored = opened(ctx, setting, values.get(setting.name));
    if (stored === undefined) {
      const { name, label } = setting;
      ctx.log.error({ setting: name }, `“${label}” was encrypted with another SESSION_SECRET: enter it again`);
      return setting.fallback;
    }
    const parsed = setting.schema.safeParse(stored);
    if (parsed.success) return parsed.data;
    ctx.log.warn({ setting: setting.name }, 'The stored value no longer fits its schema; the default is used');
    return setting.fallback;
  }

  /** Stores a value. The caller checks permissions: settings screens check `setting.groups`. */
  async set<T>(ctx: Ctx, setting: Setting<T>, value: T): Promise<void> {
    const { transaction } = ctx.get(databaseSession);
    if (!transaction)
      throw new Conflict('Settings can only be changed in a transaction.', { code: 'core.context_does_not_write' });
    const [addon = 'core'] = setting.name.split('.');
    const t: Translate = (text, params) => ownText(ctx, addon, text, params);
    const parsed = setting.schema.safeParse(value, { error: friendlyErrors(t) });
    if (!parsed.success) {
      const text = parsed.error.issues.map((issue) => t(issue.message)).join('; ');
      throw new InvalidInput(text, { code: 'core.bad_setting', fields: { [setting.name]: text } });
    }
    const previous = opened(ctx, setting, (await this.#values(ctx)).get(setting.name)) ?? setting.fallback;
    const { knex, codec } = this.#database;
    const row = {
      name: setting.name,
      value: codec.encode('json', setting.secret ? sealed(ctx, setting.name, parsed.data) : parsed.data),
      write_date: codec.encode('datetime', ctx.now()),
      write_uid: ctx.user.id,
    };
    const insert = knex(TABLE).insert(row).onConflict('name');
    await rowsOf(transaction, insert.merge(['value', 'write_date', 'write_uid']));
    transaction.touch(TABLE);
    if (JSON.stringify(previous) === JSON.stringify(parsed.data)) return;
    // The audit trail records that a secret changed, but neither its old nor its new value.
    const audited = (plainValue: unknown) => (setting.secret ? '***' : plainValue);
    const change = {
      model: 'core.setting',
      id: 0,
      field: setting.name,
      old: audited(previous),
      new: audited(parsed.data),
    };
    await tellAudit(ctx, [change]);
    for (const { setting: secret } of ctx.get(settings))
      if (secret.sentTo?.name === setting.name) await this.set(ctx, secret, secret.fallback);
  }

  #values(ctx: Ctx): Promise<ReadonlyMap<string, unknown>> {
    const { transaction } = ctx.get(databaseSession);
    if (transaction?.touched.has(TABLE)) return this.#read(transaction);
    // The version is read before the rows, so that outdated rows are never cached under a newer version.
    const version = this.#database.changes.version(TABLE);
    if (this.#kept?.version !== version || !this.#database.changes.healthy) {
      this.#kept = { version, values: this.#read(this.#database.reader) };
      this.#kept.values.catch(() => {
        this.#kept = null;
      });
    }
    return this.#kept.values;
  }

  async #read(connection: Connection): Promise<ReadonlyMap<string, unknown>> {
    const { knex, codec } = this.#database;
    const rows = await rowsOf(connection, knex(TABLE).select('name', 'value'));
    return new Map(rows.map((row) => [String(row.name), codec.decode('json', row.value)]));
  }
}

/** Encrypted value of a secret, as stored. */
/** Digest of all stored values, as they are in the database. */
export async function settingsDigest({ knex, reader }: Database): Promise<string> {
  const rows = await rowsOf(reader, knex(TABLE).select('name', 'value').orderBy('name'));
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

function sealed({ config }: Ctx, name: string, value: unknown): string {
  return sealWith(config.sessionSecret).seal(`${TABLE}.${name}`, JSON.stringify(value));
}

/** Decrypted stored value, or undefined if it was encrypted with a different `SESSION_SECRET`. */
function opened({ config }: Ctx, { name, secret }: Setting<unknown>, stored: unknown): unknown {
  if (!secret || !isSealed(stored)) return stored;
  const text = sealWith(config.sessionSecret).unseal(`${TABLE}.${name}`, stored);
  return text === null ? undefined : JSON.parse(text);
}

/** Settings of the parts themselves. */
export const partSettings = value<readonly Setting<unknown>[]>('settings of parts');

/** Encrypts secret settings of enabled addons and of the parts that were stored before encryption was introduced. */
export async function sealSettings(ctx: Ctx): Promise<void> {
  const { database } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  const { knex, codec } = database;
  const secrets = [...ctx.get(settings).map(({ setting }) => setting), ...ctx.get(partSettings)].filter(
    ({ secret }) => secret,
  );
  const names = secrets.map(({ name }) => name);
  for (const row of await rowsOf(transaction, knex(TABLE).select('name', 'value').whereIn('name', names))) {
    const value = codec.decode('json', row.value);
    if (isSealed(value)) continue;
    const name = String(row.name);
    const update = { value: codec.encode('json', sealed(ctx, name, value)) };
    await rowsOf(transaction, knex(TABLE).where({ name }).update(update));
    transaction.touch(TABLE);
  }
}
