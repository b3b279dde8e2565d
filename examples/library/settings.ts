import { setting, z } from 'pergola';

export const loanDays = setting('library.loan_days', z.number().int().min(1).max(365), 28, {
  label: 'Days of a loan',
  section: 'Library',
});

export const mostReservations = setting('library.most_reservations', z.number().int().min(1).max(50), 3, {
  label: 'Most reservations of one reader',
  section: 'Library',
});
