import { f, model } from 'pergola';

/**
 * So many of something limited that are kept for a line of an order until a moment. Of what is limited (`resource`: the name of its model) and which
 * record of it (`resource_id`) the addon that brings it knows; see `limitedResources`.
 */
export class SaleHold extends model(
  'sale.hold',
  {
    resource: f.char({ required: true, size: 64 }),
    resource_id: f.integer({ required: true }),
    order_id: f.many2one('sale.order', { required: true, ondelete: 'cascade', index: true }),
    line_id: f.many2one('sale.order.line', { required: true, ondelete: 'cascade', index: true }),
    quantity: f.integer({ required: true, min: 0 }),
    until: f.datetime({ required: true, readonly: true, index: true, label: 'Held until' }),
  },
  {
    order: 'id',
    nameField: 'resource',
    label: 'Hold',
    unique: [{ fields: ['line_id', 'resource', 'resource_id'] }],
    indexes: [['resource', 'resource_id', 'until']],
  },
) {}

declare module 'pergola' {
  interface Models {
    'sale.hold': SaleHold;
  }
}
