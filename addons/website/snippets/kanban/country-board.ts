import { Country } from '@pergola/base';
import { block, z } from 'pergola';
import { kanbanCard } from './card.ts';
import { kanban } from './kanban.ts';

export const countryCard = kanbanCard('website.country_card', Country, { name: true, code: true, phone_code: true });

/** Countries by currency: a sample kanban for every site. */
export const countryBoard = block('website.country_board', {
  label: 'Countries by currency',
  options: z.object({
    currencies: z
      .array(z.string().length(3))
      .max(8)
      .default(['EUR', 'GBP', 'USD', 'XOF'])
      .meta({ title: 'Currencies' }),
    step: z.number().int().min(1).max(50).default(10).meta({ title: 'Records per page' }),
  }),
  template: 'website.country_board',
  load: (ctx, { currencies, step }, request) =>
    kanban(ctx, request, {
      model: Country,
      domain: [['currency_id.name', 'in', currencies]],
      column: 'currency_id',
      template: countryCard.template,
      step,
    }),
});
