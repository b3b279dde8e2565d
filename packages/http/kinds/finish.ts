import { noExtras, type PlainReply, sendReply } from '../replies/send-reply.ts';
import { contextOptions, wantsJson } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import { type Call, type Extras, type Handled, RedirectSignal, runHandler } from '../routes/call.ts';
import { type Reply, reply as replies } from '../routes/reply.ts';

/** Runs the handler of a route and sends its reply. */
export async function runAndSend(call: Call, extras: Extras = call.read.extras): Promise<void> {
  const { handling } = call.bound.route;
  try {
    const handled = await runHandler(call, extras);
    await sendHandled(call, handling.reply ? { ...handled, value: handling.reply(handled.value) } : handled);
  } catch (error) {
    if (!(error instanceof RedirectSignal)) throw error;
    await sendReply(call, error.reply as PlainReply, noExtras);
  }
}

/** Sends a reply. A page is rendered now, after the commit, so that it doesn't hold locks. */
export async function sendHandled(call: Call, { value, effects, cookies }: Handled, atLeast = 200): Promise<void> {
  const reply = value as Reply | null | undefined;
  const extras = { cookies, headers: effects.headers };
  if (reply?.kind !== 'page') {
    await sendReply(call, reply ?? { kind: 'empty', status: 204 }, extras);
    return;
  }
  const { parts, info } = call;
  // A form of an action submitted by script: the visitor stays on the page.
  if (reply.result !== undefined && wantsJson(info.req)) {
    await sendReply(call, replies.json({ location: null, result: reply.result }) as PlainReply, extras);
    return;
  }
  const attempts = new Attempts(info);
  const body = await parts.application.read(
    contextOptions(info, { session: attempts.session, label: call.bound.route.name }),
    (ctx) =>
      parts.renderer.fragment(
        { ctx, info, view: attempts.effects.view(), tracker: null },
        reply.template,
        reply.values,
      ),
  );
  const status = reply.status === 200 ? atLeast : reply.status;
  const { headers } = reply;
  await sendReply(call, { kind: 'body', body, type: 'text/html; charset=utf-8', status, headers }, extras);
}
