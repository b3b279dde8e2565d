import type { Command } from '@pergola/core';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Builds the browser assets before the first start',
  usage: '',
  run: ({ io }) =>
    withApplication(
      async (application) => {
        io.out(`Built for ${application.generation.addons.length} addons.`);
        return 0;
      },
      { creates: io },
    ),
};
