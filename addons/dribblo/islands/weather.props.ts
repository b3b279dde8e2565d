import { z } from 'zod';

/** What is known of the weather is the island's content. */
export default z.object({});
