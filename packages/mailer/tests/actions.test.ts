import { createTestApp } from 'pergola/testing';
import { addonFolders, addonRoots } from '../../../core/base/addon-folders.ts';

const addons = [...addonFolders(addonRoots(undefined)).keys()];

interface Description {
  readonly form: { readonly buttons: readonly { readonly label: string; readonly mails: boolean }[] };
}

it.each([
  ['mail.mass_mailing', ['Send now', 'Schedule', 'Resume', 'Send test email']],
  [
    'sale.order',
    [
      'Send by email',
      'Send again',
      'Confirm',
      'Register payment',
      'Refund',
      'Issue refund',
      'Remove unavailable items',
      'Mark as reviewed',
      'Cancel order',
      'Cancel and refund',
    ],
  ],
  ['payment.transaction', ['Mark as paid', 'Refund']],
  ['payment.refund', ['Mark as refunded', 'Try again']],
  ['club.convocation', ['Publish and send emails', 'Send reminders']],
])('Buttons of %s say that they send mail', async (model, labels) => {
  await using app = await createTestApp({ addons });
  const admin = await app.as('admin');
  const { form } = await admin.rpc<Description>('/web/backend/model', { model });
  expect(form.buttons.filter(({ mails }) => mails).map(({ label }) => label)).toEqual(labels);
});
