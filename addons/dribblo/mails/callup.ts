import { mail } from 'pergola';

/** Values of a call-up email. */
export interface CallUpMail {
  readonly title: string;
  readonly name: string;
  /** Name of the player. */
  readonly member: string;
  readonly isGuardian: boolean;
  readonly team: string;
  readonly start: Date;
  readonly timezone: string;
  readonly venue: string;
  readonly meeting: Date | null;
  readonly place: string;
  readonly note: string;
  /** Page for answering. */
  readonly path: string;
}

/** Call-up email to a player, or to the guardians of a child. Parents of several children get one email per child. */
export const callUpMail = mail<CallUpMail>('dribblo.callup', {
  subject: 'Call-up for {member}: {title}',
  template: 'dribblo.callup_mail',
  hourly: 20,
});
