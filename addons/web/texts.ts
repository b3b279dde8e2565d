import { texts } from 'pergola';

export const { t } = texts('web');
