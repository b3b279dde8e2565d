import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { type Ctx, data, ref } from 'pergola';
import { demoPassword } from '../demo-passwords.ts';
import { Partner } from '../models/partner.ts';
import { User } from '../models/user.ts';
import { checkPassword, cost } from '../passwords.ts';

/**
 * Administrator account: `admin`/`admin` with demo data, otherwise with the ADMIN_PASSWORD, or a generated password that is printed once.
 */
export default [
  data(
    Partner,
    { admin_partner: { name: 'Administrator', email: 'admin@example.com', company_id: ref('base.main_company') } },
    { noupdate: true },
  ),
  data(User, administrator, { noupdate: true }),
];

async function administrator(ctx: Ctx) {
  return {
    user_admin: {
      login: 'admin',
      partner_id: ref('base.admin_partner'),
      company_id: ref('base.main_company'),
      group_ids: [ref('base.group_user'), ref('base.group_system')],
      ...(ctx.config.demo ? await demoPassword('admin') : { password_hash: await hash(firstPassword(ctx), cost) }),
      email_verified: true,
    },
  };
}

function firstPassword(ctx: Ctx): string {
  const { adminPassword, baseUrl } = ctx.config;
  if (adminPassword) {
    checkPassword(adminPassword, ['admin', 'Pergola', new URL(baseUrl).hostname]);
    return adminPassword;
  }
  const generated = randomBytes(12).toString('base64url');
  // Only printed to the terminal that started the server, never logged.
  process.stdout.write(
    `\nThe administrator's login is "admin", the password is "${generated}". Change it after signing in.\n\n`,
  );
  return generated;
}
