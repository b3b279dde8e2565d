import { type Ctx, type Id, type Ids, NotFound } from 'pergola';
import type { MessageInput, MessageRecipient } from '../models/followers.ts';

/** Record methods needed for following; provided by the mixin `Followers`. */
export interface Thread {
  readonly ctx: Ctx;
  allowed(ids: Ids, operation: 'read'): Promise<Id[]>;
  displayNames(ids: Ids): Promise<Map<Id, string>>;
  isFollower(id: Id, partnerId: Id): Promise<boolean>;
  messageRecipients(id: Id): Promise<readonly MessageRecipient[]>;
  messagePost(ids: Ids, message: MessageInput): Promise<Id[]>;
  messageSubscribe(ids: Ids, partnerIds: Ids): Promise<void>;
  messageUnsubscribe(ids: Ids, partnerIds: Ids): Promise<void>;
  threadPaths(ids: Ids): Promise<Map<Id, string>>;
}

/** Returns the model's records if they can be followed, else null. */
export function threadOf(ctx: Ctx, model: string): Thread | null {
  try {
    const records = ctx.modelNamed(model);
    return isThread(records) ? records : null;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

function isThread(model: object): model is Thread {
  return 'messageSubscribe' in model;
}
