import { z } from 'zod';

/** RPC call that returns the template with the island, alone or keyed by id. */
export default z.object({ path: z.string(), params: z.record(z.string(), z.unknown()) });
