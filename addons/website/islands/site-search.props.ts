import { z } from 'zod';

/** Search of the site, or of an app's list. */
export default z.object({
  /** Initial search text. */
  value: z.string().default(''),
  /** Focuses the field when its container opens. */
  autofocus: z.boolean().default(false),
  /** Search of an app: URL of its list, and parameters other than the search text. */
  list: z
    .object({
      /** Limits suggestions to this addon. */
      addon: z.string(),
      action: z.string(),
      label: z.string(),
      /** Id of the form, for fields outside it. */
      id: z.string().optional(),
      /** Parameters that stay unchanged. */
      kept: z.record(z.string(), z.string().nullish()).default({}),
    })
    .optional(),
});
