import { z } from 'zod';

/** Karma required for the content; the reader has less. */
export default z.object({ needs: z.number() });
