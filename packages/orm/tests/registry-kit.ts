import { extend, f, type Ids, mixin, model } from 'pergola';
import { type AddonModels, buildRegistry } from '../build-registry.ts';

const Published = mixin(
  'kit.published',
  { published: f.boolean(), slug: f.char({ index: true }) },
  (Base) =>
    class extends Base {
      async publish(ids: Ids): Promise<string> {
        return `${this.modelName} ${ids.join()}`;
      }
    },
  { publishable: true },
);
const Rated = mixin(
  'kit.rated',
  { rating: f.integer() },
  (Base) =>
    class extends Base {
      rate(): string {
        return 'rated';
      }
    },
);
export class Sale extends model(
  'kit.sale',
  {
    name: f.char({ required: true }),
    state: f.selection(['draft', 'sale'], { default: 'draft' }),
    partner_id: f.many2one('kit.partner', { required: true }),
    line_ids: f.one2many('kit.sale.line', 'sale_id'),
    email: f.char({ related: 'partner_id.email' }),
    total: f.integer({ compute: 'computeTotal', depends: ['line_ids.qty'], store: true }),
  },
  {
    order: 'name desc, partner_id.name',
    mixins: [Published],
    unique: [{ fields: ['name', 'partner_id'], where: 'published' }],
  },
) {
  async confirm(): Promise<string[]> {
    return ['sale'];
  }
  async computeTotal(ids: Ids): Promise<Map<number, number>> {
    return new Map(ids.map((id) => [id, id]));
  }
}
class Line extends model('kit.sale.line', {
  sale_id: f.many2one('kit.sale', { required: true, ondelete: 'cascade' }),
  qty: f.integer({ default: 1 }),
}) {}
export class Partner extends model(
  'kit.partner',
  {
    name: f.char({ required: true, translate: true }),
    email: f.char({ unique: true }),
    tag_ids: f.many2many('kit.tag', { empty: 'none' }),
  },
  { search: ['name', 'email'] },
) {}
export class Tag extends model('kit.tag', {
  name: f.char(),
  partner_ids: f.many2many('kit.partner', { empty: 'none' }),
}) {}

const Signed = extend(
  Sale,
  {
    signer: f.char({ required: true }),
    state: f.selectionAdd(['signed'], { onUninstall: { signed: 'sale' } }),
    level: f.integer({ required: true, default: 3 }),
  },
  (Base) =>
    class extends Base {
      override async confirm(): Promise<string[]> {
        return [...(await super.confirm()), 'signed'];
      }
    },
);
export const Stamped = extend(
  Signed,
  { stamp: f.char(), state: f.selectionAdd(['stamped'], { onUninstall: { stamped: 'draft' } }) },
  (Base) =>
    class extends Base {
      override async confirm(): Promise<string[]> {
        return [...(await super.confirm()), `stamped ${this.rate()}`];
      }
    },
  { mixins: [Rated] },
);
declare module 'pergola' {
  interface Models {
    'kit.sale': Sale;
    'kit.sale.line': Line;
    'kit.partner': Partner;
    'kit.tag': Tag;
  }
}

export const sale: AddonModels = { name: 'sale', models: [Sale, Line, Partner, Tag] };
export const sign: AddonModels = { name: 'sign', models: [Signed] };
export const stamp: AddonModels = { name: 'stamp', models: [Stamped] };
export const all = [sale, sign, stamp];

/** What is wrong with these addons, one text each. */
export const problems = (addons: readonly AddonModels[], options: Parameters<typeof buildRegistry>[1] = {}) =>
  buildRegistry(addons, options).problems.map(({ addon, message, remedy }) =>
    `${addon}: ${message} ${remedy ?? ''}`.trim(),
  );
export const one = (...models: NonNullable<AddonModels['models']>) => problems([{ name: 'a', models }]);
