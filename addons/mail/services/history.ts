import { AuditEntry } from '@pergola/base';
import type { ShownChange } from '@pergola/web';
import { app, type Id, NotAllowed, NotFound, service } from 'pergola';
import { type ShownField, shownFields, valueTexts } from './value-texts.ts';

/** Read-only and one-to-many fields can't be restored. */
function isRestorable({ readonly, type }: ShownField): boolean {
  return !readonly && type !== 'one2many';
}

/** Record history from the audit log of tracked fields. */
export class RecordHistory extends service('mail.history', { ctx: app.ctx }) {
  /**
   * Changes of a record's tracked fields, newest first, limited to fields the caller can read. The caller must have checked access to the
   * record.
   */
  async of(about: {
    readonly model: string;
    readonly id: Id;
    readonly limit: number;
    readonly mayWrite: boolean;
  }): Promise<readonly ShownChange[]> {
    const { model, id, limit, mayWrite } = about;
    const fields = await shownFields(this.ctx, model);
    // The audit log is restricted to administrators; here, access depends on the record and its fields.
    const rows = await this.ctx
      .sudo()
      .model(AuditEntry)
      .find(
        [
          ['res_model', '=', model],
          ['res_id', '=', id],
          ['field', 'in', [...fields.keys()]],
        ],
        {
          select: { field: true, old_value: true, new_value: true, date: true, user_id: { name: true, login: true } },
          limit,
        },
      );
    const changes = rows.flatMap((row) => {
      const field = fields.get(row.field);
      return field ? [{ row, field }] : [];
    });
    const texts = await valueTexts(
      this.ctx,
      changes.flatMap(({ row, field }) => [
        { field, value: row.old_value },
        { field, value: row.new_value },
      ]),
      await this.#currencyOf(model, id, fields),
    );
    const zones = await this.#zonesOf(model, id, changes);
    return changes.map(({ row, field }) => ({
      id: row.id,
      date: row.date,
      by: row.user_id?.name ?? row.user_id?.login ?? null,
      field: row.field,
      label: field.string,
      type: field.type,
      timezone: zones.get(field) ?? null,
      before: texts.text(field, row.old_value),
      after: texts.text(field, row.new_value),
      restorable: mayWrite && isRestorable(field),
    }));
  }

  /** Time zones of datetime fields: from the record, or the site's. */
  async #zonesOf(
    model: string,
    id: Id,
    changes: readonly { readonly field: ShownField }[],
  ): Promise<ReadonlyMap<ShownField, string>> {
    const zoned = changes.flatMap(({ field }) =>
      field.timezone_field ? [[field, field.timezone_field] as const] : [],
    );
    const names = zoned.flatMap(([, name]) => (name.startsWith('@') ? [] : [name]));
    const select = Object.fromEntries(names.map((name) => [name, true as const]));
    const [row] = names.length > 0 ? await this.ctx.modelNamed(model).read([id], { select }) : [];
    return new Map(
      zoned.flatMap(([field, name]) => {
        const zone: unknown = name.startsWith('@') ? this.ctx.siteTimezone : row && Reflect.get(row, name);
        return typeof zone === 'string' ? [[field, zone] as const] : [];
      }),
    );
  }

  /** Currency of the record's amounts, if it has one. */
  async #currencyOf(model: string, id: Id, fields: ReadonlyMap<string, ShownField>): Promise<Id | null> {
    const name = [...fields.values()].find(({ currency_field }) => currency_field)?.currency_field;
    if (!name || fields.get(name)?.relation !== 'res.currency') return null;
    const [row] = await this.ctx.modelNamed(model).read([id], { select: { [name]: true } });
    const value: unknown = row && Reflect.get(row, name);
    return typeof value === 'number' ? value : null;
  }

  /**
   * Restores the value of a field before a change, with the caller's write permission.
   *
   * @throws NotFound for a change of another record, or of a field the caller can't read; NotAllowed for fields that can't be edited.
   */
  async restore(target: { readonly model: string; readonly id: Id; readonly change: Id }): Promise<void> {
    const { model, id, change } = target;
    const entry = await this.ctx
      .sudo()
      .model(AuditEntry)
      .first(
        [
          ['id', '=', change],
          ['res_model', '=', model],
          ['res_id', '=', id],
        ],
        { select: { field: true, old_value: true } },
      );
    const field = entry && (await shownFields(this.ctx, model)).get(entry.field);
    if (!entry || !field) throw new NotFound('We can’t find that change.', { code: 'mail.no_change' });
    if (!isRestorable(field))
      throw new NotAllowed('“{field}” can’t be edited.', {
        code: 'mail.not_restorable',
        params: { field: field.string },
      });
    const value =
      field.type === 'datetime' && typeof entry.old_value === 'string' ? new Date(entry.old_value) : entry.old_value;
    await this.ctx.modelNamed(model).write(id, { [entry.field]: value ?? (field.type === 'boolean' ? false : null) });
  }
}
