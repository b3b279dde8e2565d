import { texts } from 'pergola';

export const { t } = texts('mass_mailing');
