import { WebsiteMenu } from '@pergola/website';
import { data, ref } from 'pergola';
import { EventType } from '../models/event-type.ts';
import { TicketProduct } from '../models/product-template.ts';

export default [
  data(
    TicketProduct,
    {
      product_ticket: {
        name: { en_US: 'Event ticket', fr_FR: 'Billet' },
        type: 'service',
        event_ok: true,
        list_price: '1',
        categ_id: ref('sale.all_products'),
        uom_id: ref('sale.unit'),
      },
    },
    { noupdate: true },
  ),
  data(
    EventType,
    {
      type_conference: { name: { en_US: 'Conference', fr_FR: 'Conférence' }, sequence: 10 },
      type_seminar: { name: { en_US: 'Seminar', fr_FR: 'Séminaire' }, sequence: 20 },
      type_exhibition: { name: { en_US: 'Exhibition', fr_FR: 'Exposition' }, sequence: 30 },
      type_show: { name: { en_US: 'Show', fr_FR: 'Spectacle' }, sequence: 40 },
      type_training: { name: { en_US: 'Training', fr_FR: 'Formation' }, sequence: 50 },
    },
    { noupdate: true },
  ),
  data(
    WebsiteMenu,
    {
      menu_events: {
        name: { en_US: 'Events', fr_FR: 'Événements' },
        url: '/event',
        parent_id: ref('website.main_menu'),
        sequence: 30,
      },
    },
    { noupdate: true },
  ),
];
