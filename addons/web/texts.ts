import { texts } from 'pergola';

export const { t, plural } = texts('web');
