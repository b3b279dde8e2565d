import { f, model } from 'pergola';

/** Reason for closing a post, or for marking it as offensive. */
export class ForumPostReason extends model(
  'forum.post.reason',
  {
    name: f.char({ required: true, translate: true, label: 'Reason' }),
    reason_type: f.selection(
      { basic: 'To close a question', offensive: 'To mark a post as offensive' },
      { default: 'basic' },
    ),
    costs_karma: f.boolean({
      label: 'Costs the author karma',
      help: 'Five times the penalty for a downvoted question',
    }),
    sequence: f.integer({ default: 10, required: true }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Moderation reason' },
) {}

declare module 'pergola' {
  interface Models {
    'forum.post.reason': ForumPostReason;
  }
}
