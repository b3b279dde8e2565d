import { publicMethod } from '@pergola/web';
import { defineAddon, z } from 'pergola';
import { entries } from './account-entries.ts';
import { footerBlock, footerList } from './blocks/footer.ts';
import { subscribeBlock, subscribeSnippet } from './blocks/subscribe.ts';
import { consequences } from './consequences.ts';
import { countSeen } from './jobs/count-seen.ts';
import { readBounces } from './jobs/read-bounces.ts';
import { sendMailings, watchMailings } from './jobs/send-mailings.ts';
import { sendTest } from './jobs/send-test.ts';
import { confirmSubscription, mailingPaused } from './mails.ts';
import { Contact } from './models/contact.ts';
import { Exclusion } from './models/exclusion.ts';
import { MailingLink } from './models/link.ts';
import { MailingList } from './models/list.ts';
import { BounceMailbox } from './models/mailbox.ts';
import { Mailing } from './models/mailing.ts';
import { MailRecipient } from './models/recipient.ts';
import { Subscription } from './models/subscription.ts';
import { mailRoutes } from './routes/mails.ts';
import { subscribeRoutes } from './routes/subscribe.ts';
import { unsubscribeRoutes } from './routes/unsubscribe.ts';
import { groups, lists, rules } from './security.ts';
import { Bounces } from './services/bounces/bounces.ts';
import { MailCompiler } from './services/content/compile.ts';
import { MailingDelivery } from './services/delivery.ts';
import { followHeldMail, isMailingWanted } from './services/held-mails.ts';
import { MailPreferences } from './services/preferences.ts';
import { Spool } from './services/spool.ts';
import { Subscribing } from './services/subscribing.ts';
import { MailingTransport } from './services/transport.ts';
import { bounceAddress, mailConnections, mailRate } from './settings.ts';
import { menus, views } from './views.ts';

export default defineAddon({
  name: 'mass_mailing',
  title: 'Mailings',
  summary: 'Mailing lists that visitors can join, and emails to their subscribers',
  version: '1.1.0',
  category: 'Communication',
  icon: 'send',
  depends: ['website', 'mail'],
  consequences,
  models: [MailingList, Contact, Subscription, Exclusion, Mailing, MailRecipient, MailingLink, BounceMailbox],
  groups,
  access: lists,
  rules,
  services: [MailingTransport, Spool, MailCompiler, MailingDelivery, Bounces, Subscribing, MailPreferences, footerList],
  settings: [mailRate, mailConnections, bounceAddress],
  mails: [confirmSubscription, mailingPaused],
  outboxListeners: [followHeldMail],
  outboxGuards: [isMailingWanted],
  jobs: [sendMailings, watchMailings, sendTest, readBounces, countSeen],
  routes: [subscribeRoutes, unsubscribeRoutes, mailRoutes],
  blocks: [subscribeBlock, footerBlock],
  snippets: subscribeSnippet,
  views,
  menus,
  accountEntries: entries,
  publicMethods: [
    publicMethod(Mailing, 'send_mail', { right: 'write', writes: true, mails: true, args: z.tuple([]) }),
    publicMethod(Mailing, 'put_in_queue', { right: 'write', writes: true, mails: true, args: z.tuple([]) }),
    publicMethod(Mailing, 'cancel_mass_mailing', { right: 'write', writes: true, args: z.tuple([]) }),
    publicMethod(Mailing, 'action_test_mailing', {
      right: 'write',
      writes: true,
      mails: true,
      args: z.union([z.tuple([]), z.tuple([z.string().max(1_000)])]),
    }),
    publicMethod(MailingList, 'add_addresses', { right: 'write', writes: true, args: z.tuple([]) }),
    publicMethod(BounceMailbox, 'read_now', { right: 'write', writes: true, args: z.tuple([]) }),
  ],
});
