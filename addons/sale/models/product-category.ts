import { f, type Id, type Ids, model } from 'pergola';

/** A node of the internal product tree, used by pricelist rules. Visitors browse a different tree. */
export class ProductCategory extends model(
  'product.category',
  {
    name: f.char({ required: true, translate: true, label: 'Category' }),
    parent_id: f.many2one('product.category', { ondelete: 'restrict', index: true, label: 'Parent category' }),
    child_ids: f.one2many('product.category', 'parent_id', { label: 'Subcategories' }),
    sequence: f.integer({ default: 10 }),
  },
  { order: 'sequence, name, id', label: 'Product category' },
) {
  /** Returns the parents of each category, nearest first. Rules for a category also apply to its subcategories. */
  async above(ids: Ids): Promise<Map<Id, Id[]>> {
    const parents = new Map<Id, Id | null>();
    let pending: readonly Id[] = [...new Set(ids)];
    while (pending.length > 0) {
      const rows = await this.read(pending, { select: { parent_id: true } });
      for (const row of rows) parents.set(row.id, row.parent_id);
      pending = [
        ...new Set(rows.flatMap(({ parent_id }) => (parent_id && !parents.has(parent_id) ? [parent_id] : []))),
      ];
    }
    return new Map(ids.map((id) => [id, chain(id, parents)]));
  }
}

function chain(id: Id, parents: ReadonlyMap<Id, Id | null>): Id[] {
  const ancestors: Id[] = [];
  for (let next = parents.get(id); next && !ancestors.includes(next); next = parents.get(next)) ancestors.push(next);
  return ancestors;
}

declare module 'pergola' {
  interface Models {
    'product.category': ProductCategory;
  }
}
