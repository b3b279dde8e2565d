import { type FieldsOf, f, type Id, type Ids, model, NotAllowed, type Values } from 'pergola';
import { FollowsRecord } from './follows-record.ts';

/**
 * A file, optionally attached to a record. Identical content is stored once.
 *
 * Readable by everyone with access to its record, or by everyone if it is `public`; otherwise by its creator and employees.
 */
export class Attachment extends model(
  'ir.attachment',
  {
    name: f.char({ required: true }),
    datas: f.binary({ label: 'File' }),
    datas_fname: f.char({ label: 'File name' }),
    description: f.text(),
    type: f.selection({ binary: 'File', url: 'URL' }, { default: 'binary' }),
    url: f.char({ size: 1024, label: 'URL' }),
    mimetype: f.char({ index: true, label: 'MIME type' }),
    file_size: f.integer({ label: 'Size', default: 0 }),
    checksum: f.char({ size: 64, index: true, readonly: true }),
    width: f.integer(),
    height: f.integer(),
    res_model: f.char({ label: 'Model', index: true }),
    res_id: f.integer({ label: 'Record' }),
    public: f.boolean({ help: 'Accessible without signing in' }),
  },
  {
    order: 'id desc',
    attachedTo: { model: 'res_model', id: 'res_id' },
    indexes: [['res_model', 'res_id']],
    label: 'Attachment',
    mixins: [FollowsRecord],
  },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<Attachment>>[],
  ): Promise<readonly Values<FieldsOf<Attachment>>[]> {
    for (const value of values) await this.#requireRecord(value.res_model, value.res_id, 'write');
    return super.beforeCreate(values.map(describeFile));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Attachment>>): Promise<Values<FieldsOf<Attachment>>> {
    await this.#requireTheirRecords(ids, 'write');
    if ('res_id' in values || 'res_model' in values)
      await this.#requireRecord(values.res_model, values.res_id, 'write');
    return super.beforeWrite(ids, describeFile(values));
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.#requireTheirRecords(ids, 'write');
    await super.beforeUnlink(ids);
  }

  /** Returns the IDs of files the caller can download. */
  async readable(ids: Ids): Promise<Id[]> {
    const rows = await this.ctx
      .sudo()
      .model(Attachment)
      .read(ids, { select: { res_model: true, res_id: true, public: true, create_uid: true } });
    const allowed: Id[] = [];
    for (const row of rows) {
      const isOwn = row.create_uid !== null && row.create_uid === this.ctx.user.id;
      const free = row.public || (!row.res_model && (isOwn || this.ctx.has('base.group_user')));
      if (free || (row.res_model && row.res_id && (await this.#may(row.res_model, row.res_id, 'read'))))
        allowed.push(row.id);
    }
    return allowed;
  }

  async #requireTheirRecords(ids: Ids, operation: 'read' | 'write'): Promise<void> {
    const rows = await this.ctx
      .sudo()
      .model(Attachment)
      .read(ids, { select: { res_model: true, res_id: true } });
    for (const row of rows) await this.#requireRecord(row.res_model, row.res_id, operation);
  }

  async #requireRecord(model: unknown, id: unknown, operation: 'read' | 'write'): Promise<void> {
    if (this.ctx.su || typeof model !== 'string' || !model || typeof id !== 'number' || id === 0) return;
    if (!(await this.#may(model, id, operation))) {
      throw new NotAllowed('You don’t have permission to change this record’s files.', {
        code: 'base.attachment_of_other',
      });
    }
  }

  async #may(model: string, id: Id, operation: 'read' | 'write'): Promise<boolean> {
    try {
      return (await this.ctx.modelNamed(model).allowed([id], operation)).length > 0;
    } catch {
      // The model's addon is disabled, or the caller has no access to the model.
      return false;
    }
  }
}

function describeFile(values: Values<FieldsOf<Attachment>>): Values<FieldsOf<Attachment>> {
  const file = values.datas;
  if (!file || typeof file !== 'object' || !('hash' in file)) return values;
  const {
    hash,
    mimetype,
    size,
    width = null,
    height = null,
    name,
  } = file as { hash: string; mimetype: string; size: number; width?: number; height?: number; name?: string };
  return { datas_fname: name ?? null, ...values, mimetype, file_size: size, checksum: hash, width, height };
}

declare module 'pergola' {
  interface Models {
    'ir.attachment': Attachment;
  }
}
