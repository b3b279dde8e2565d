import { Company } from '@pergola/base';
import type { Ctx } from 'pergola';
import { totpAddress } from '../models/auth-totp.ts';
import type { KeyHolder } from '../services/holder.ts';

interface SetupForm {
  readonly secret: string;
  readonly sealed: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** Page for setting up an authenticator app. */
export async function setupValues(ctx: Ctx, { login, pending }: KeyHolder, form: SetupForm) {
  const { secret, sealed, errors = {}, message } = form;
  const [company] = await ctx.model(Company).find([], { select: { name: true }, limit: 1 });
  const issuer = company?.name ?? new URL(ctx.config.baseUrl).hostname;
  return {
    message,
    errors,
    setup: sealed,
    // In groups of four, for typing.
    secret: secret.replaceAll(/.{4}(?=.)/g, '$& '),
    picture: await qrCode(totpAddress(secret, issuer, login)),
    mustFirst: pending !== null,
    action: pending ? '/web/login/setup' : '/web/account/keys/app',
  };
}

/** A QR code as an SVG path, with one unit per dot. */
async function qrCode(text: string): Promise<{ readonly size: number; readonly path: string }> {
  // Loaded on demand: most server runs never need it.
  const { default: QrCode } = await import('qrcode');
  const { modules } = QrCode.create(text, { errorCorrectionLevel: 'M' });
  const dots: string[] = [];
  for (let row = 0; row < modules.size; row++)
    for (let column = 0; column < modules.size; column++)
      if (modules.get(row, column)) dots.push(`M${column + 4} ${row + 4}h1v1h-1z`);
  return { size: modules.size + 8, path: dots.join('') };
}
