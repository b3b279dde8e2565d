import { mail } from 'pergola';

/** What a call-up's mail says. */
export interface CallUpMail {
  readonly title: string;
  readonly name: string;
  /** Who is called up. */
  readonly member: string;
  readonly isGuardian: boolean;
  readonly team: string;
  readonly start: Date;
  readonly timezone: string;
  readonly venue: string;
  readonly meeting: Date | null;
  readonly place: string;
  readonly note: string;
  /** The page where it is answered. */
  readonly path: string;
}

/** To a member who is called up, or to the guardians of a child. A parent of several children gets one for each. */
export const callUpMail = mail<CallUpMail>('dribblo.callup', {
  subject: 'Call-up of {member}: {title}',
  template: 'dribblo.callup_mail',
  hourly: 20,
});
