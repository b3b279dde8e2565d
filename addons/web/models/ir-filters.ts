import { type FieldsOf, f, type Ids, InvalidInput, model, type Values } from 'pergola';

/** What a saved view remembers of a list. */
export interface SavedView {
  readonly domain?: readonly unknown[];
  /** Conditions as people put them together, to be changed again. */
  readonly filters?: readonly unknown[];
  readonly groupBy?: readonly string[];
  readonly order?: string;
  readonly columns?: readonly unknown[];
  readonly view?: string;
  /** What was changed of the graph and of the pivot table. */
  readonly graph?: object;
  readonly pivot?: object;
}

/** A list as somebody wants to find it again: filters, grouping, sorting and columns under a name; for themselves or for everybody. */
export class SavedFilter extends model(
  'ir.filters',
  {
    name: f.char({ required: true, size: 80 }),
    model_id: f.char({ required: true, size: 64, label: 'Model', index: true }),
    user_id: f.many2one('res.users', {
      empty: 'all',
      ondelete: 'cascade',
      help: 'Whose it is; empty when it is for everybody.',
    }),
    view: f.json<SavedView>({ label: 'What is shown' }),
    is_default: f.boolean({ label: 'Shown at first' }),
  },
  { order: 'name, id', label: 'Saved view' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<SavedFilter>>[],
  ): Promise<readonly Values<FieldsOf<SavedFilter>>[]> {
    for (const one of values) checkSize(one.view);
    return super.beforeCreate(values);
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<SavedFilter>>): Promise<Values<FieldsOf<SavedFilter>>> {
    checkSize(values.view);
    return super.beforeWrite(ids, values);
  }

  /** One view of a model is shown at first: the last that somebody chose. */
  override async afterWrite(ids: Ids, values: Values<FieldsOf<SavedFilter>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.is_default === true) await this.#onlyDefault(ids);
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<SavedFilter>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    if (values.some((one) => one.is_default === true)) await this.#onlyDefault(ids);
  }

  async #onlyDefault(ids: Ids): Promise<void> {
    for (const { id, model_id, user_id } of await this.read(ids, { select: { model_id: true, user_id: true } })) {
      // Two views that become the default at once would not see each other. Views for everybody have the group of employees in common.
      if (user_id === null) await this.ctx.lock('res.groups', [await this.ctx.ref('base.group_user')]);
      else await this.ctx.lock('res.users', [user_id]);
      const others = await this.search([
        ['model_id', '=', model_id],
        ['user_id', '=', user_id],
        ['is_default', '=', true],
        ['id', '!=', id],
      ]);
      const mine = await this.allowed(others, 'write');
      if (mine.length > 0) await this.write(mine, { is_default: false });
    }
  }
}

const MOST_BYTES = 20_000;

function checkSize(view: unknown): void {
  if (view !== undefined && JSON.stringify(view).length > MOST_BYTES)
    throw new InvalidInput('This view is too large to be saved.', { code: 'web.view_too_large' });
}

declare module 'pergola' {
  interface Models {
    'ir.filters': SavedFilter;
  }
}
