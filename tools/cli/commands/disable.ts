import { switchCommand } from '../switching.ts';

export const command = switchCommand('disable', 'Switches addons off; their data stays');
