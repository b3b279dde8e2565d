import { mail } from 'pergola';

interface Overdue {
  readonly name: string;
  readonly title: string;
  readonly due: string;
}

export const overdueMail = mail<Overdue>('library.overdue', {
  subject: 'Please bring it back: {title}',
  template: 'library.mail_overdue',
});
