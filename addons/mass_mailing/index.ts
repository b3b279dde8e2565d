/** Public API of mass_mailing for other addons. */
export { Contact } from './models/contact.ts';
export { Exclusion } from './models/exclusion.ts';
export { MailingList } from './models/list.ts';
export { Mailing } from './models/mailing.ts';
export { Subscription } from './models/subscription.ts';
