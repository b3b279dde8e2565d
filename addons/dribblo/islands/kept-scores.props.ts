import { z } from 'zod';

/** No props: pending results are only stored on the phone. */
export default z.object({});
