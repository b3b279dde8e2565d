import { data } from 'pergola';
import { SaleCompany } from '../models/res-company.ts';

/** Where the account of the demo's company is kept. */
export default data(SaleCompany, { 'base.main_company': { bank_bic: 'AGRIFRPP' } });
