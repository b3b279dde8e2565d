import { noExtras, type PlainReply, sendReply } from '../replies/send-reply.ts';
import { RedirectSignal, runHandler } from '../routes/call.ts';
import { reply } from '../routes/route.ts';
import { type Kind, readDeclaredQuery } from './kind.ts';

/** GETs that return bare JSON. */
export const json: Kind = {
  checkOrigin: () => {},
  read: readDeclaredQuery,
  async answer(call) {
    try {
      const { value, effects, cookies } = await runHandler(call);
      await sendReply(call, reply.json(value ?? null) as PlainReply, { cookies, headers: effects.headers });
    } catch (error) {
      if (!(error instanceof RedirectSignal)) throw error;
      await sendReply(call, error.reply as PlainReply, noExtras);
    }
  },
};
