import { z } from 'zod';
import { places } from './checkout.props.ts';

export default places.extend({
  /** Where the form is sent, without language. */
  action: z.string(),
  /** Whether it is the address of invoices, which may have a VAT number. */
  vat: z.boolean(),
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.string()),
});
