import { z } from 'zod';
import type { Problem } from '../base/index.ts';
import type { Ctx } from '../context/index.ts';
import { callable, listPoint } from '../kernel/index.ts';

declare module '../kernel/contributions.ts' {
  interface Contributions {
    /**
     * Checks whether the site may be served as it is, before the server listens; problems prevent the start (demo passwords in production).
     * Read-only.
     */
    startChecks: readonly ((ctx: Ctx) => Promise<readonly Problem[]>)[];
  }
}

export const startChecks = listPoint('startChecks', { shape: z.array(callable) });
