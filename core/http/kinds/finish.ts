import { type Call, Elsewhere, type Extras, type Handled, runHandler } from '../call.ts';
import type { Reply } from '../route.ts';
import { nothingBeside, type PlainReply, sendReply } from '../send-reply.ts';
import { Tries } from '../tries.ts';
import { contextOptions } from '../visit.ts';

/** Runs the handler of a form or raw route and sends what it answers. */
export async function runAndSend(call: Call, extras: Extras): Promise<void> {
  try {
    await sendHandled(call, await runHandler(call, extras));
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error;
    await sendReply(call, error.reply as PlainReply, nothingBeside);
  }
}

/** Sends an answer. A page is rendered now, after the commit, so that no lock is held for it. */
export async function sendHandled(call: Call, { value, outcome, cookies }: Handled, atLeast = 200): Promise<void> {
  const reply = value as Reply | null | undefined;
  const beside = { cookies, headers: outcome.headers };
  if (reply?.kind !== 'page') {
    await sendReply(call, reply ?? { kind: 'empty', status: 204 }, beside);
    return;
  }
  const { parts, visit } = call;
  const tries = new Tries(visit);
  const body = await parts.kernel.read(
    contextOptions(visit, { session: tries.session, label: call.bound.route.name }),
    (ctx) =>
      parts.renderer.fragment({ ctx, visit, view: tries.outcome.view(), tracker: null }, reply.template, reply.values),
  );
  const status = reply.status === 200 ? atLeast : reply.status;
  const { headers } = reply;
  await sendReply(call, { kind: 'body', body, type: 'text/html; charset=utf-8', status, headers }, beside);
}
