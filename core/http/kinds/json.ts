import { takeRates } from '../rate-limits/rates.ts';
import { nothingBeside, type PlainReply, sendReply } from '../replies/send-reply.ts';
import { type Call, RedirectSignal, runHandler } from '../routes/call.ts';
import { readQuery } from '../routes/query.ts';
import { reply } from '../routes/route.ts';

/** Answers a GET with bare JSON. */
export async function answerJson(call: Call): Promise<void> {
  await takeRates(call, 'before');
  const query = readQuery(call.query, call.option<Parameters<typeof readQuery>[1]>('query'));
  await takeRates(call, 'after', query);
  try {
    const { value, effects, cookies } = await runHandler(call, { query });
    await sendReply(call, reply.json(value ?? null) as PlainReply, { cookies, headers: effects.headers });
  } catch (error) {
    if (!(error instanceof RedirectSignal)) throw error;
    await sendReply(call, error.reply as PlainReply, nothingBeside);
  }
}
