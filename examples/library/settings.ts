import { setting, z } from '#core';

export const loanDays = setting('library.loan_days', z.number().int().min(1).max(365), 28, {
  label: 'Days of a loan',
  section: 'Library',
});
