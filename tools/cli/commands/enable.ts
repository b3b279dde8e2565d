import { switchCommand } from '../switching.ts';

export const command = switchCommand('enable', 'Switches addons on, with those they need');
