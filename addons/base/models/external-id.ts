import { f, type Id, model, NotAllowed, NotFound } from 'pergola';
import { models } from 'pergola/orm';

/** External IDs (`base.main_company`) of the records shipped by addons, as in Odoo. Read-only: the core maintains the table. */
export class ExternalIdentifier extends model(
  'ir.model.data',
  {
    module: f.char({ related: 'addon', label: 'Module' }),
    name: f.char({ label: 'External name' }),
    model: f.char({ label: 'Model' }),
    res_id: f.integer({ related: 'record_id', label: 'Record number' }),
    noupdate: f.boolean({ label: 'Never updated' }),
    complete_name: f.char({ compute: 'computeCompleteName', depends: ['addon', 'name'], label: 'External ID' }),
    addon: f.char({ label: 'App' }),
    record_id: f.integer({ label: 'Record ID' }),
  },
  { table: 'core_external_id', coreTable: true, label: 'External ID' },
) {
  async computeCompleteName(ids: readonly Id[]): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { addon: true, name: true } });
    return new Map(rows.map(({ id, addon, name }) => [id, `${addon}.${name}`]));
  }

  /**
   * Returns model and ID of the record with an external ID, as used by Odoo clients up to version 14.
   *
   * @param raises whether an unknown ID is an error; otherwise returns `[false, false]`
   * @throws NotFound
   */
  async xmlid_to_res_model_res_id(xmlId: string, raises?: boolean | null): Promise<[string, Id] | [false, false]> {
    const [addon = '', name = ''] = xmlId.split(/\.(.*)/s);
    return (await this.#reference(addon, name)) ?? (raises ? noReference(xmlId) : [false, false]);
  }

  /**
   * Returns model and ID of the record with an external ID, as used by Odoo clients since version 15.
   *
   * @param raises whether a record the caller can't read is an error; otherwise its ID is returned as false
   * @throws NotFound for an unknown ID
   * @throws NotAllowed
   */
  async check_object_reference(module: string, name: string, raises?: boolean | null): Promise<[string, Id | false]> {
    const [record, id] = (await this.#reference(module, name)) ?? noReference(`${module}.${name}`);
    const allowed = await this.ctx.modelNamed(record).allowed([id], 'read');
    if (allowed.length > 0) return [record, id];
    if (raises) throw new NotAllowed('You don’t have access to this record.', { code: 'core.access_denied' });
    return [record, false];
  }

  async #reference(addon: string, name: string): Promise<[string, Id] | null> {
    const row = await this.first(
      [
        ['addon', '=', addon],
        ['name', '=', name],
        ['record_id', '!=', false],
      ],
      { select: { model: true, record_id: true } },
    );
    const isKnown = row !== null && this.ctx.get(models).get(row.model ?? '') !== undefined;
    return isKnown && row.model && row.record_id ? [row.model, row.record_id] : null;
  }
}

function noReference(xmlId: string): never {
  throw new NotFound('No record has the external ID “{id}”.', { code: 'base.no_external_id', params: { id: xmlId } });
}

declare module 'pergola' {
  interface Models {
    'ir.model.data': ExternalIdentifier;
  }
}
