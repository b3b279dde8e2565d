import { data } from 'pergola';
import { SaleCompany } from '../models/res-company.ts';

/** Bank details of the demo company. */
export default data(SaleCompany, { 'base.main_company': { bank_bic: 'AGRIFRPP' } });
