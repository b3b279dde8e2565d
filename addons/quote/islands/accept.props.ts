import { z } from 'zod';
import { quotation } from './pricing.props.ts';

export default quotation.extend({
  /** Path of the quotation. */
  path: z.string(),
  reference: z.string(),
  version: z.string(),
  total: z.number(),
  totalText: z.string(),
});
