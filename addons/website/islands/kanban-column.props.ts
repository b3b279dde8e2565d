import { z } from 'zod';

/** Kanban column with its first cards. Its parameters are signed by the server and sent back unchanged. */
export default z.object({
  /** Id of the column's record; 0 for records without one. */
  id: z.number(),
  name: z.string(),
  count: z.number(),
  domain: z.string(),
  model: z.string(),
  template: z.string(),
  step: z.string(),
  orderby: z.string(),
  signature: z.string(),
  /** Number of page links shown. */
  scope: z.number(),
  page: z.number(),
  page_count: z.number(),
  /** Address of the page that contains the column. */
  address: z.string(),
});
