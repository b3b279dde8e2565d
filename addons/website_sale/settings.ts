import { setting, z } from 'pergola';

const section = 'Shop';

/** Whether the address form asks for a tax number. */
export const askVat = setting('website_sale.ask_vat', z.boolean(), true, {
  label: 'Ask for a VAT number at checkout',
  help: 'Optional for customers. Fiscal positions can depend on it.',
  section,
});

/** How long statistics are kept, in days. */
export const statisticsDays = setting('website_sale.statistics_days', z.number().int().min(7).max(3650), 400, {
  label: 'Shop statistics retention (days)',
  section,
});

/** Whether guests may buy, or must sign in. */
export const guestsMayBuy = setting('website_sale.guests_may_buy', z.boolean(), true, {
  label: 'Guest checkout',
  section,
});

export const settings = [askVat, statisticsDays, guestsMayBuy];
