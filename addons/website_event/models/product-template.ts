import { ProductTemplate } from '@pergola/sale';
import { extend, f, type Id } from 'pergola';

/** Ticket products: not listed in the shop, sold from their event page. */
export const TicketProduct = extend(
  ProductTemplate,
  {
    event_ok: f.boolean({ index: true, label: 'For event tickets', help: 'Sold on event pages, not in the shop' }),
  },
  (Base) =>
    class extends Base {
      /** Includes the shipped ticket product unless it was edited. */
      override async shippedUntaxed(): Promise<{ readonly id: Id; readonly name: string }[]> {
        const products = await super.shippedUntaxed();
        const id = await this.ctx.ref('website_event.product_ticket').catch(() => null);
        if (id === null) return products;
        const rows = await this.read([id], { select: { name: true, taxes_id: true, write_uid: true } });
        return [...products, ...rows.filter(({ taxes_id, write_uid }) => taxes_id.length === 0 && write_uid === null)];
      }
    },
);
