import { z } from 'zod';
import type { Problem } from '../base/index.ts';
import type { Ctx } from '../context/index.ts';
import { callable, listPoint } from '../kernel/index.ts';

declare module '../kernel/contributions.ts' {
  interface Contributions {
    /**
     * Whether the site may be served as it is, asked before the server listens; with problems the start is refused (demo passwords in production).
     * Reads only.
     */
    startChecks: readonly ((ctx: Ctx) => Promise<readonly Problem[]>)[];
  }
}

export const startChecks = listPoint('startChecks', { shape: z.array(callable) });
