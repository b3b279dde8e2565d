import { createHmac } from 'node:crypto';
import { timingSafeEqualText } from 'pergola';

/** Maximum difference between a notification's time and the local time, in seconds. */
const SIGNATURE_WINDOW = 300;

/** Returns the header that signs a notification: `t=<unix seconds>,v1=<hex HMAC-SHA256 over "<t>.<raw body>">`. */
export function signNotification(secret: string, body: string | Uint8Array, signedAt: Date): string {
  const time = Math.floor(signedAt.getTime() / 1000);
  return `t=${time},v1=${digest(secret, time, body)}`;
}

/** Whether a header signs these bytes, with a time within the window. */
export function isSigned(secret: string, body: Uint8Array, header: unknown, now: Date): boolean {
  if (typeof header !== 'string') return false;
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header);
  if (!match) return false;
  const time = Number(match[1]);
  const age = Math.abs(now.getTime() / 1000 - time);
  return timingSafeEqualText(digest(secret, time, body), match[2] ?? '') && age <= SIGNATURE_WINDOW;
}

function digest(secret: string, time: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
}
