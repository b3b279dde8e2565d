import { z } from 'zod';

/** The karma that what is within takes; its reader has less. */
export default z.object({ needs: z.number() });
