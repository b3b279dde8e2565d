import { access, group, rule } from 'pergola';
import { Contact } from './models/contact.ts';
import { Exclusion } from './models/exclusion.ts';
import { MailingLink } from './models/link.ts';
import { MailingList } from './models/list.ts';
import { BounceMailbox } from './models/mailbox.ts';
import { Mailing } from './models/mailing.ts';
import { MailRecipient } from './models/recipient.ts';
import { Subscription } from './models/subscription.ts';

const user = 'mass_mailing.group_user';

export const groups = [
  group(user, {
    label: 'Mailing manager',
    category: 'Mailings',
    implies: ['base.group_user'],
    impliedBy: ['base.group_system'],
  }),
];

/** Visitors can see open lists, but not their subscribers; their actions are limited to their own address (`services/subscribing.ts`). */
export const lists = [
  access(MailingList, { '*': 'r', [user]: 'rwcd' }),
  access(Contact, { [user]: 'rwcd' }),
  access(Subscription, { [user]: 'rwcd' }),
  access(Exclusion, { [user]: 'rwcd' }),
  access(Mailing, { [user]: 'rwcd' }),
  access(MailRecipient, { [user]: 'r' }),
  access(MailingLink, { [user]: 'r' }),
  access(BounceMailbox, { 'base.group_system': 'rwcd' }),
];

export const rules = [
  rule('mass_mailing.open_lists', MailingList, {
    groups: ['base.group_public', 'base.group_portal', 'base.group_user'],
    operations: 'r',
    domain: () => [
      ['is_public', '=', true],
      ['active', '=', true],
    ],
  }),
  rule('mass_mailing.all_lists', MailingList, { groups: [user], domain: () => [] }),
];
