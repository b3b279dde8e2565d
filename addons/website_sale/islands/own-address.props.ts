import { z } from 'zod';
import { places } from './checkout.props.ts';

export default places.extend({
  /** Target of the form, without language. */
  action: z.string(),
  /** Whether this is the invoice address, which may have a VAT number. */
  vat: z.boolean(),
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.string()),
});
