import { z } from 'zod';

/** What is asked before the form within is sent, and what the button of the answer says. */
export default z.object({ question: z.string(), yes: z.string() });
