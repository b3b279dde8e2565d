import { mail } from 'pergola';

export const validateEmail = mail<{ readonly name: string; readonly path: string }>('forum.validate_email', {
  subject: 'Confirm your email address for the forum',
  template: 'forum.mail_validate',
});
