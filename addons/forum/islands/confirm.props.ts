import { z } from 'zod';

/** Question asked before the form is submitted, and label of the confirm button. */
export default z.object({ question: z.string(), yes: z.string() });
