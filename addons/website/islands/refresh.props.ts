import { z } from 'zod';

/** The call that answers the template in which the island stands, alone or by an id. */
export default z.object({ path: z.string(), params: z.record(z.string(), z.unknown()) });
