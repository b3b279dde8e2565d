import { migration, readableAddress } from 'pergola';
import { clearReason } from 'pergola/mail';

export default migration({
  version: '1.1.0',
  summary:
    'Lifts exclusions of readers whose bounces weren’t about their address; bounce mailboxes need their password again; international domains are shown as people write them',
  async up({ db, note }) {
    const excluded = await db('mail_blacklist').where({ reason: 'bounce' }).select('id', 'note');
    // Exclusions without a clear reason stay: they can be lifted by hand, or by subscribing again.
    const unjustified = excluded.filter(({ note: text }) => {
      const reason = clearReason({ text: String(text ?? ''), isFinal: true });
      return reason !== null && reason !== 'address';
    });
    for (let offset = 0; offset < unjustified.length; offset += 500) {
      const ids = unjustified.slice(offset, offset + 500).map(({ id }) => Number(id));
      await db('mail_blacklist').whereIn('id', ids).delete();
    }
    if (unjustified.length > 0)
      note(`${unjustified.length} addresses were excluded although they exist, and get mailings again`);
    // Passwords couldn't be entered in the form; those set by scripts were stored in plain text.
    await db('mail_mass_mailing_mailbox').whereNotNull('password').update({ password: null });
    for (const table of ['mail_mass_mailing_contact', 'mail_blacklist', 'mail_mail_statistics']) {
      const encoded = await db(table).where('email', 'like', '%xn--%').select('id', 'email');
      for (const { id, email } of encoded)
        await db(table)
          .where({ id })
          .update({ email: readableAddress(String(email)) });
    }
    // Emails held without a mail server counted as sent.
    const heldMails = await db('core_outbox')
      .where({ name: 'mass_mailing.mailing', state: 'kept' })
      .select('message_id');
    const recipients = heldMails.flatMap(
      ({ message_id }) => Number(/^<mm\.(\d{1,15})\./.exec(String(message_id))?.[1]) || [],
    );
    for (let offset = 0; offset < recipients.length; offset += 500) {
      await db('mail_mail_statistics')
        .whereIn('id', recipients.slice(offset, offset + 500))
        .andWhere({ state: 'sent' })
        .update({ state: 'held', sent: null });
    }
  },
});
