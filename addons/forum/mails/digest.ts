import { mail } from 'pergola';

/** A question in a digest. */
export interface DigestLine {
  readonly title: string;
  readonly path: string;
  readonly about: string;
}

export interface Digest {
  readonly name: string;
  readonly top: readonly DigestLine[];
  readonly open: readonly DigestLine[];
  readonly stop: string;
}
export const digestMail = mail<Digest>('forum.digest', {
  subject: 'What’s new on the forum',
  template: 'forum.mail_digest',
});
