import { type Ctx, type FieldsOf, f, type Id, type Ids, model, type Values } from 'pergola';
import { settings } from 'pergola/kernel';
import { type CompiledField, models } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { t } from '../texts.ts';

/** Pseudo-model names of settings and apps in the audit log. */
export const SETTING = 'core.setting';
/** Pseudo-model name of backup files, which contain the whole site. */
const BACKUP = 'core.backup';
export const APP = 'core.addon';

/** An audit log entry before saving: user, date and origin are derived from the context. */
export interface AuditNote extends Omit<Values<FieldsOf<AuditEntry>>, 'kind' | 'date' | 'by_token'> {
  /** Extensible by other addons. */
  readonly kind: string;
}

/**
 * An audit log entry: who changed what, when, from where, and both values. Append-only, and independent of the record, which may be
 * deleted.
 */
export class AuditEntry extends model(
  'ir.audit',
  {
    kind: f.selection(
      {
        change: 'Changed',
        create: 'Created',
        delete: 'Deleted',
        setting: 'Setting changed',
        app: 'App enabled or disabled',
        sign_in: 'Signed in',
        sign_in_failed: 'Failed sign-in',
        backup_taken: 'Backup downloaded',
        backup_deleted: 'Backup deleted',
      },
      { default: 'change', label: 'Action' },
    ),
    res_model: f.char({ required: true, index: true, label: 'Model' }),
    res_id: f.integer({ required: true, label: 'Record ID' }),
    field: f.char({ required: true, label: 'Field name' }),
    old_value: f.json({ label: 'Value before' }),
    new_value: f.json({ label: 'Value after' }),
    user_id: f.many2one('res.users', { empty: 'none', label: 'User' }),
    by_token: f.boolean({ label: 'Through an access token' }),
    address: f.char({ label: 'IP address' }),
    date: f.datetime({ required: true, label: 'Date' }),
    record: f.char({ compute: 'computeTexts', label: 'Record' }),
    field_label: f.char({ compute: 'computeTexts', label: 'Field' }),
    before: f.text({ compute: 'computeTexts', label: 'Before' }),
    after: f.text({ compute: 'computeTexts', label: 'After' }),
  },
  {
    order: 'date desc, id desc',
    indexes: [
      ['res_model', 'res_id', 'date'],
      ['date', 'id'],
      ['user_id', 'date', 'id'],
    ],
    appendOnly: true,
    nameField: 'res_model',
    label: 'Audit log entry',
  },
) {
  /** Logs entries for the user of the context, or for `user_id` if given. Users have no write access to the audit log. */
  async note(entries: readonly AuditNote[]): Promise<void> {
    const { ctx } = this;
    await ctx
      .sudo()
      .modelNamed(AuditEntry.modelName)
      .create(
        entries.map((entry) => ({
          ...entry,
          // Entries without a field concern the whole record.
          field: entry.field ?? entry.kind,
          user_id: entry.user_id ?? ctx.user.id,
          by_token: ctx.user.scope !== undefined,
          address: entry.address ?? ctx.network,
          date: ctx.now(),
        })),
      );
  }

  /**
   * Removes personal data and origins from the entries about records that are being deleted. The facts that something was changed, and
   * when, remain.
   */
  async forget(name: string, ids: Ids): Promise<void> {
    const table = () => this.ctx.db('ir_audit');
    await table()
      .where('res_model', name)
      .whereIn('res_id', [...ids])
      .update({ old_value: null, new_value: null });
    if (name === 'res.users')
      await table()
        .whereIn('user_id', [...ids])
        .update({ address: null });
  }

  /** Entries are named after their subject. */
  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { res_model: true, res_id: true, field: true } });
    const names = await namesOf(this.ctx, rows);
    return new Map(rows.map((row) => [row.id, recordText(this.ctx, row, names)]));
  }

  async computeTexts(ids: Ids): Promise<Map<Id, EntryTexts>> {
    const rows = await this.read(ids, {
      select: { kind: true, res_model: true, res_id: true, field: true, old_value: true, new_value: true },
    });
    const names = await namesOf(this.ctx, rows);
    const textsById = new Map<Id, EntryTexts>();
    for (const { id, res_model, res_id, field, old_value, new_value } of rows) {
      const fieldInfo = this.ctx.get(models).get(res_model)?.fields.get(field);
      textsById.set(id, {
        record: recordText(this.ctx, { res_model, res_id, field }, names),
        field_label: fieldInfo ? ownText(this.ctx, fieldInfo.addon, fieldInfo.label) : '',
        before: await valueText(this.ctx, fieldInfo, old_value),
        after: await valueText(this.ctx, fieldInfo, new_value),
      });
    }
    return textsById;
  }
}

interface EntryTexts {
  readonly record: string;
  readonly field_label: string;
  readonly before: string;
  readonly after: string;
}
interface EntrySubject {
  readonly res_model: string;
  readonly res_id: number;
  readonly field: string;
}

/** Names of the records in the entries, if they still exist. Readers of the audit log can see all of them. */
async function namesOf(ctx: Ctx, rows: readonly EntrySubject[]): Promise<ReadonlyMap<string, ReadonlyMap<Id, string>>> {
  const names = new Map<string, ReadonlyMap<Id, string>>();
  for (const [name, entries] of Map.groupBy(rows, ({ res_model }) => res_model)) {
    if (!ctx.get(models).get(name)) continue;
    names.set(
      name,
      await ctx
        .sudo()
        .modelNamed(name)
        .displayNames([...new Set(entries.map(({ res_id }) => res_id))]),
    );
  }
  return names;
}

function recordText(
  ctx: Ctx,
  { res_model, res_id, field }: EntrySubject,
  names: ReadonlyMap<string, ReadonlyMap<Id, string>>,
): string {
  if (res_model === SETTING) {
    const definition = ctx.get(settings).find(({ setting }) => setting.name === field);
    return definition ? ownText(ctx, definition.addon, definition.setting.label) : field;
  }
  if (res_model === APP || res_model === BACKUP) return field;
  const modelInfo = ctx.get(models).get(res_model);
  const label = modelInfo ? ownText(ctx, modelInfo.addon, modelInfo.label) : res_model;
  const name = names.get(res_model)?.get(res_id) ?? (res_id === 0 ? '' : `#${res_id}`);
  return `${label} ${name}`.trim();
}

/** Formats a stored value for display. */
async function valueText(ctx: Ctx, field: CompiledField | undefined, value: unknown): Promise<string> {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? t(ctx, 'yes') : t(ctx, 'no');
  const ids = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'number');
  if (field?.relation && ids.length > 0) {
    const names = await ctx.sudo().modelNamed(field.relation.to).displayNames(ids);
    return ids.map((id) => names.get(id) ?? `#${id}`).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

declare module 'pergola' {
  interface Models {
    'ir.audit': AuditEntry;
  }
}
