import { type FieldsOf, f, type Ids, InvalidInput, model, type Values } from 'pergola';

/** State of a list stored in a saved view. */
export interface SavedView {
  readonly domain?: readonly unknown[];
  /** Conditions in the format of the filter dialog, so that they can be edited. */
  readonly filters?: readonly unknown[];
  readonly groupBy?: readonly string[];
  readonly order?: string;
  readonly columns?: readonly unknown[];
  readonly view?: string;
  /** Changes to the graph and the pivot table. */
  readonly graph?: object;
  readonly pivot?: object;
}

/** A list's filters, grouping, sorting and columns saved under a name, for one user or for everyone. */
export class SavedFilter extends model(
  'ir.filters',
  {
    name: f.char({ required: true, size: 80 }),
    model_id: f.char({ required: true, size: 64, label: 'Model', index: true }),
    user_id: f.many2one('res.users', {
      empty: 'all',
      ondelete: 'cascade',
      help: 'Owner. Leave empty to share it with everyone.',
    }),
    view: f.json<SavedView>({ label: 'View settings' }),
    is_default: f.boolean({ label: 'Default view' }),
  },
  { order: 'name, id', label: 'Saved view' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<SavedFilter>>[],
  ): Promise<readonly Values<FieldsOf<SavedFilter>>[]> {
    for (const row of values) checkSize(row.view);
    return super.beforeCreate(values);
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<SavedFilter>>): Promise<Values<FieldsOf<SavedFilter>>> {
    checkSize(values.view);
    return super.beforeWrite(ids, values);
  }

  /** Each model has one default view: the last one selected. */
  override async afterWrite(ids: Ids, values: Values<FieldsOf<SavedFilter>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.is_default === true) await this.#onlyDefault(ids);
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<SavedFilter>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    if (values.some((row) => row.is_default === true)) await this.#onlyDefault(ids);
  }

  async #onlyDefault(ids: Ids): Promise<void> {
    for (const { id, model_id, user_id } of await this.read(ids, { select: { model_id: true, user_id: true } })) {
      // Locks a common record, because two views becoming the default at the same time wouldn't see each other. Shared views lock the group
      // of employees.
      if (user_id === null) await this.ctx.lock('res.groups', [await this.ctx.ref('base.group_user')]);
      else await this.ctx.lock('res.users', [user_id]);
      const otherDefaults = await this.search([
        ['model_id', '=', model_id],
        ['user_id', '=', user_id],
        ['is_default', '=', true],
        ['id', '!=', id],
      ]);
      const writable = await this.allowed(otherDefaults, 'write');
      if (writable.length > 0) await this.write(writable, { is_default: false });
    }
  }
}

const MAX_BYTES = 20_000;

function checkSize(view: unknown): void {
  if (view !== undefined && JSON.stringify(view).length > MAX_BYTES)
    throw new InvalidInput('This view is too large to save.', { code: 'web.view_too_large' });
}

declare module 'pergola' {
  interface Models {
    'ir.filters': SavedFilter;
  }
}
