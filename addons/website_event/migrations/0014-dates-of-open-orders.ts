import { migration } from 'pergola';

/** Event fields copied to order lines, by column. */
const whereabouts = {
  ticket_begin: 'date_begin',
  ticket_end: 'date_end',
  ticket_venue: 'address_id',
  ticket_tz: 'date_tz',
} as const;

export default migration({
  version: '1.6.0',
  summary:
    'Notes date, zone and venue of the event in open orders made before they were kept, so that later moves are noticed',
  async up({ db, addColumn, note }) {
    await addColumn('sale_order_line', 'ticket_begin', 'datetime');
    await addColumn('sale_order_line', 'ticket_end', 'datetime');
    await addColumn('sale_order_line', 'ticket_venue', 'bigint');
    await addColumn('sale_order_line', 'ticket_tz', 'text');
    const lines: number[] = await db('sale_order_line')
      .whereNotNull('event_ticket_id')
      .whereNull('ticket_begin')
      .whereIn('order_id', db('sale_order').whereIn('state', ['draft', 'sent']).select('id'))
      .pluck('id');
    for (const [column, source] of Object.entries(whereabouts)) {
      const value = db('event_event as event')
        .join('event_event_ticket as ticket', 'ticket.event_id', 'event.id')
        .whereRaw('?? = ??', ['ticket.id', 'sale_order_line.event_ticket_id'])
        // 0 marks an online event.
        .select(column === 'ticket_venue' ? db.raw('coalesce(??, 0)', ['event.address_id']) : `event.${source}`);
      for (let offset = 0; offset < lines.length; offset += 500)
        await db('sale_order_line')
          .whereIn('id', lines.slice(offset, offset + 500))
          .update({ [column]: value });
    }
    if (lines.length > 0) note(`Noted date, zone and venue of the event in ${lines.length} lines of open orders`);
  },
});
