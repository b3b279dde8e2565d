import { emailKey, migration } from 'pergola';

export default migration({
  version: '1.3.0',
  summary: 'Keeps logins with an international domain in the form in which they are compared',
  async up({ db, note }) {
    const users: { id: number; login: string }[] = await db('res_users')
      .whereLike('login', '%@%')
      .select('id', 'login');
    const logins = new Set(users.map(({ login }) => login));
    for (const { id, login } of users) {
      const key = emailKey(login);
      if (key === login) continue;
      if (logins.has(key)) {
        note(`User ${id}: another user already has the login ${key}, so ${login} can’t sign in until it’s changed`);
        continue;
      }
      await db('res_users').where({ id }).update({ login: key });
    }
  },
});
