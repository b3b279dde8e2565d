import { z } from 'zod';

/** A column of a kanban, its first cards in it. What describes it is the server's and signed; it is sent back as it came. */
export default z.object({
  /** The column's record; 0 for records without one. */
  id: z.number(),
  name: z.string(),
  count: z.number(),
  domain: z.string(),
  model: z.string(),
  template: z.string(),
  step: z.string(),
  orderby: z.string(),
  signature: z.string(),
  /** Page links shown at once. */
  scope: z.number(),
  page: z.number(),
  page_count: z.number(),
  /** Of the page it stands on. */
  address: z.string(),
});
