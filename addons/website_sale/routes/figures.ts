import { redirect, route } from 'pergola';

/** Former URL of the shop's statistics, which are now backend views. */
export const figures = route.page(
  '/web/shop/figures',
  { name: 'website_sale.figures', auth: 'user', groups: ['sale.group_sale_user'], cache: false, multilang: false },
  async () => redirect('/web/m/website.sale.view?menu=website_sale.menu_figures', 301),
);
