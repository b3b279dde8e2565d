import { z } from 'zod';

/** The server-rendered list is passed as the island's children. */
export default z.object({});
