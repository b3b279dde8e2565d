import { switchCommand } from '../switching.ts';

export const command = switchCommand(
  'upgrade',
  'Brings addons to the version on disk; all that are older when none is named',
  0,
);
