import { FollowsRecord } from '#addons/base';
import { f, model } from '#core';

/**
 * Something said on a record: a comment for all who may see it, or an internal note. A row is there for whoever may read the record, and for nobody
 * else.
 */
export class Message extends model(
  'mail.message',
  {
    model: f.char({ label: 'Model' }),
    res_id: f.integer({ label: 'Record' }),
    parent_id: f.many2one('mail.message', { ondelete: 'set null', label: 'Answers' }),
    author_id: f.many2one('res.partner', { ondelete: 'set null' }),
    email_from: f.char({ label: 'From' }),
    subject: f.char(),
    body: f.html({ sanitize: 'comment' }),
    type: f.selection({ comment: 'Comment', email: 'Email', notification: 'Notification' }, { default: 'comment' }),
    internal: f.boolean({ help: 'Only employees see it' }),
    website_published: f.boolean({ default: true, label: 'Visible on the website' }),
    date: f.datetime({ required: true }),
    attachment_ids: f.many2many('ir.attachment'),
  },
  {
    order: 'date desc, id desc',
    nameField: 'subject',
    attachedTo: { model: 'model', id: 'res_id' },
    indexes: [['model', 'res_id', 'date']],
    label: 'Message',
    mixins: [FollowsRecord],
  },
) {}

declare module '#core' {
  interface Models {
    'mail.message': Message;
  }
}
