import { z } from 'zod';

/** The last known weather is the island's children. */
export default z.object({});
