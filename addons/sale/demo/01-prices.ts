import { data, ref } from 'pergola';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { AccountTax } from '../models/account-tax.ts';
import { ProductPricelist } from '../models/product-pricelist.ts';
import { SaleCompany } from '../models/res-company.ts';

/** Countries of the European Union other than France, the company's home. */
const union = [
  ...['at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'gr', 'hr', 'hu', 'ie'],
  ...['it', 'lt', 'lu', 'lv', 'mt', 'nl', 'pl', 'pt', 'ro', 'se', 'si', 'sk'],
];

export default [
  data(AccountTax, {
    tax_standard: {
      name: { en_US: 'VAT 20%', fr_FR: 'TVA 20\u00a0%' },
      amount: '20',
      price_include: true,
      sequence: 1,
    },
    tax_reduced: {
      name: { en_US: 'VAT 5.5%', fr_FR: 'TVA 5,5\u00a0%' },
      amount: '5.5',
      price_include: true,
      sequence: 2,
    },
    tax_reverse: {
      name: { en_US: 'VAT 0% (reverse charge)', fr_FR: 'TVA 0\u00a0% (autoliquidation)' },
      amount: '0',
      sequence: 3,
    },
  }),
  data(SaleCompany, { 'base.main_company': { account_sale_tax_id: ref('tax_standard') } }),
  data(FiscalPosition, {
    position_business: {
      name: { en_US: 'Businesses in the European Union', fr_FR: 'Entreprises de l’Union européenne' },
      auto_apply: true,
      vat_required: true,
      country_ids: union.map((code) => ref(`base.${code}`)),
      tax_ids: ['tax_standard', 'tax_reduced'].map((tax) => ({
        create: { tax_src_id: ref(tax), tax_dest_id: ref('tax_reverse') },
      })),
      note: {
        en_US: 'Reverse charge: VAT is payable by the customer.',
        fr_FR: 'Autoliquidation\u00a0: la TVA est due par le client.',
      },
      sequence: 1,
    },
    position_union: {
      name: { en_US: 'Customers in the European Union', fr_FR: 'Clients de l’Union européenne' },
      auto_apply: true,
      country_ids: [ref('base.fr'), ...union.map((code) => ref(`base.${code}`))],
      sequence: 2,
    },
    position_world: {
      name: { en_US: 'Outside the European Union', fr_FR: 'Hors Union européenne' },
      auto_apply: true,
      country_ids: ['ch', 'us', 'gb', 'ca', 'jp', 'tn'].map((code) => ref(`base.${code}`)),
      tax_ids: ['tax_standard', 'tax_reduced'].map((tax) => ({ create: { tax_src_id: ref(tax) } })),
      note: { en_US: 'Export, VAT exempt.', fr_FR: 'Exportation, exonérée de TVA.' },
      sequence: 3,
    },
  }),
  data(ProductPricelist, {
    members: {
      name: { en_US: 'Members of the association', fr_FR: 'Membres de l’association' },
      currency_id: ref('base.eur'),
      sequence: 20,
      item_ids: [{ create: { name: '10 %', compute_price: 'percentage', percent_price: '10' } }],
    },
    dollars: {
      name: { en_US: 'Dollar prices', fr_FR: 'Prix en dollars' },
      currency_id: ref('base.usd'),
      sequence: 30,
      item_ids: [{ create: { name: '.90', compute_price: 'formula', price_round: '1', price_surcharge: '-0.1' } }],
    },
  }),
];
