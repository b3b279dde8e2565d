import { f, model } from 'pergola';

/**
 * A quantity of a limited item, held for an order line until a point in time. The addon that provides the resource knows which model
 * (`resource`) and record (`resource_id`) is limited; see `limitedResources`.
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
