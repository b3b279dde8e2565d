import { formatAmount } from '@pergola/sale';
import { extend, f, type Id, type Ids, type RawDomain } from 'pergola';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';

const groups = 'website_event.group_event_user';

/** Refunds of cancelled events. */
export const RefundedEvent = extend(
  EventEvent,
  {
    refunds: f.json({ compute: 'computeRefunds', depends: [], label: 'Refunds', groups }),
    refund_count: f.integer({ compute: 'computeRefundCount', depends: [], label: 'Orders to refund', groups }),
  },
  (Base) =>
    class extends Base {
      /** Refunds due for tickets of cancelled events, as a table for the form. */
      async computeRefunds(ids: Ids): Promise<Map<Id, object>> {
        const { ctx } = this;
        const columns = [
          { label: t(ctx, 'Order') },
          { label: t(ctx, 'Customer') },
          { label: t(ctx, 'Email') },
          { label: t(ctx, 'To refund'), isNumber: true },
        ];
        const tables = new Map<Id, object>();
        for (const id of ids) {
          const rows: object[] = [];
          for (const order of await this.#ordersDueRefund([id])) {
            rows.push({
              model: 'sale.order',
              id: order.id,
              cells: [
                order.name ?? '',
                order.invoice_name ?? '',
                order.invoice_email ?? '',
                await formatAmount(ctx, order.amount_owed ?? 0, order.currency_id),
              ],
            });
          }
          tables.set(id, { columns, rows });
        }
        return tables;
      }

      /** Number of orders of each event with a refund due. */
      async computeRefundCount(ids: Ids): Promise<Map<Id, number>> {
        const counts = new Map<Id, number>();
        for (const id of ids) counts.set(id, (await this.#ordersDueRefund([id])).length);
        return counts;
      }

      /**
       * Refunds all amounts owed for tickets of cancelled events, order by order.
       *
       * @throws NotAllowed if the caller isn't allowed to refund
       */
      async button_refund(ids: Ids): Promise<void> {
        for (const { id } of await this.#ordersDueRefund(ids)) await this.ctx.model('sale.order').refundOwed([id]);
      }

      /** Orders with tickets of cancelled events for which a refund is due. */
      async #ordersDueRefund(events: Ids) {
        const cancelled = await this.search([
          ['id', 'in', events],
          ['state', '=', 'cancel'],
        ]);
        const domain: RawDomain = [
          ['order_line.event_ticket_id.event_id', 'in', cancelled],
          ['amount_owed', '>', 0],
        ];
        return this.ctx
          .sudo() // Organisers can see who is owed a refund; paying it requires a separate permission.
          .model('sale.order')
          .find(domain as never, {
            select: { name: true, invoice_name: true, invoice_email: true, amount_owed: true, currency_id: true },
            order: 'id',
          });
      }
    },
);
