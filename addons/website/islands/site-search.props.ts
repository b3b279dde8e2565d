import { z } from 'zod';

/** The search of the site, or that of an app's own list. */
export default z.object({
  /** What stands in the field at first. */
  value: z.string().default(''),
  /** Whether the field is given the focus when what it stands in is opened. */
  autofocus: z.boolean().default(false),
  /** An app's own search: where its list is, and what it is asked for beside the words. */
  list: z
    .object({
      /** Only what this addon has is suggested. */
      addon: z.string(),
      action: z.string(),
      label: z.string(),
      /** Of the form, for fields that stand elsewhere. */
      id: z.string().optional(),
      /** Fields that stay as they are. */
      kept: z.record(z.string(), z.string().nullish()).default({}),
    })
    .optional(),
});
