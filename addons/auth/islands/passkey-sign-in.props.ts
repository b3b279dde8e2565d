import { z } from 'zod';

/** Where signing in leads to; empty for wherever they are at home. */
export default z.object({ redirect: z.string() });
