import type { Command } from '../../../core/app/commands.ts';
import { withKernel } from '../with-kernel.ts';

export const command: Command = {
  summary: 'Builds what browsers load, ahead of the first start',
  usage: '',
  run: ({ io }) =>
    withKernel(async (kernel) => {
      io.out(`Built for ${kernel.generation.addons.length} addons.`);
      return 0;
    }),
};
