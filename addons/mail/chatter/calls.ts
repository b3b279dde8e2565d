import { publicMethod } from '#addons/web';
import { extend, type Id, InvalidInput, z } from '#core';
import { ownPartner } from '../follow.ts';
import { Message } from '../models/message.ts';
import { restoreValue } from './history.ts';
import { openThread, setFollowing, type ThreadView, viewThread } from './thread-view.ts';

const record = { model: z.string().min(1).max(64), id: z.number().int().positive() };
const id = z.number().int().positive();

const readInput = z.object({ ...record, limit: z.number().int().min(1).max(500).default(30) });
const postInput = z.object({
  ...record,
  /** HTML; sanitised. */
  body: z.string().max(100_000),
  subject: z.string().max(255).nullish(),
  /** A note that only employees see, and nobody gets a mail of. */
  internal: z.boolean().default(false),
  attachment_ids: z.array(id).max(50).default([]),
});
const followInput = z.object({ ...record, on: z.boolean(), partner_ids: z.array(id).max(100).default([]) });
const restoreInput = z.object({ ...record, change: id });

/** What the backend calls about the thread of a record; each looks at the rights on that record first. */
export const MessageCalls = extend(
  Message,
  {},
  (Base) =>
    class extends Base {
      /** What stands beside a record: messages and notes, files, followers, changes. */
      async thread_read(input: z.infer<typeof readInput>): Promise<ThreadView> {
        return viewThread(this.ctx, input);
      }

      /** Says something on a record, or notes it for employees. Whoever says something follows from then on. Answers the message's id. */
      async thread_post(input: z.infer<typeof postInput>): Promise<Id | null> {
        const { ctx } = this;
        const { attachment_ids: attachmentIds, body, internal, subject } = input;
        const thread = await openThread(ctx, input);
        if (attachmentIds.length === 0 && isBlank(body)) {
          const message = ctx.t('Write something, or add a file.');
          throw new InvalidInput(message, { code: 'mail.empty_message', fields: { body: message } });
        }
        const [made] = await thread.messagePost([input.id], {
          body,
          internal,
          attachmentIds,
          ...(subject ? { subject } : {}),
        });
        const me = ownPartner(ctx);
        if (!internal && me !== null) await thread.messageSubscribe([input.id], [me]);
        return made ?? null;
      }

      /** Makes the caller (or other contacts) follow a record, or no longer. */
      async thread_follow(input: z.infer<typeof followInput>): Promise<true> {
        await setFollowing(this.ctx, { ...input, partners: input.partner_ids });
        return true;
      }

      /** Puts back what a field was before a change. */
      async thread_restore(input: z.infer<typeof restoreInput>): Promise<true> {
        await openThread(this.ctx, input);
        await restoreValue(this.ctx, input);
        return true;
      }
    },
);

function isBlank(html: string): boolean {
  return !/<img\b/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === '';
}

/** The calls, for the addon's table of contents. */
export const messageCalls = [
  publicMethod(MessageCalls, 'thread_read', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: false,
    onRecords: false,
    args: readInput,
  }),
  publicMethod(MessageCalls, 'thread_post', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: true,
    onRecords: false,
    args: postInput,
  }),
  publicMethod(MessageCalls, 'thread_follow', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: true,
    onRecords: false,
    args: followInput,
  }),
  publicMethod(MessageCalls, 'thread_restore', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: true,
    onRecords: false,
    args: restoreInput,
  }),
];
