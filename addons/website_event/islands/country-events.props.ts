import { z } from 'zod';

/** The list that the page came with is the island's content. */
export default z.object({});
