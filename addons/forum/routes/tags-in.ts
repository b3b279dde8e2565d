import { type Ctx, type Id, InvalidInput, PergolaError } from '#core';
import { TAG } from '../constants.ts';
import { ForumTag, tagNames } from '../models/forum-tag.ts';

/**
 * The tags of a form as ids, made where they are new. `select2` lists ids and `_name` for new ones, `texttext` is a JSON list of names; anything else
 * is what somebody typed: names with commas, spaces or underscores between.
 *
 * @throws InvalidInput beside `question_tags`, NotAllowed for new ones without the karma
 */
export async function tagsFrom(ctx: Ctx, forum: Id, text: string, type: string): Promise<Id[]> {
  const { ids, names } = type === 'select2' ? fromSelect2(text) : { ids: [], names: namesIn(text, type) };
  if (ids.length + names.length > TAG.most) throw wrong('At most 5 tags.');
  const bad = names.find((name) => [...name].length < TAG.min || [...name].length > TAG.max);
  if (bad !== undefined) throw wrong('A tag has 2 to 35 characters.');
  const known = await ctx.model(ForumTag).search([
    ['id', 'in', ids],
    ['forum_id', '=', forum],
  ]);
  try {
    return [...new Set([...known, ...(await ctx.model(ForumTag).idsFor(forum, names))])];
  } catch (error) {
    if (error instanceof PergolaError && error.code === 'forum.bad_tag') throw wrong(error.message);
    throw error;
  }
}

function fromSelect2(text: string): { ids: Id[]; names: string[] } {
  const parts = text.split(',').map((part) => part.trim());
  return {
    ids: parts.filter((part) => /^[1-9]\d{0,14}$/.test(part)).map(Number),
    names: tagNames(parts.filter((part) => part !== '' && !/^\d+$/.test(part)).join(',')),
  };
}

function namesIn(text: string, type: string): string[] {
  if (type !== 'texttext' || !text.trim().startsWith('[')) return tagNames(text);
  try {
    const list: unknown = JSON.parse(text);
    return tagNames(Array.isArray(list) ? list.map(String).join(',') : '');
  } catch {
    return tagNames(text.replace(/["'[\]]/g, ''));
  }
}

function wrong(message: string): InvalidInput {
  return new InvalidInput(message, { code: 'forum.bad_tags', fields: { question_tags: message } });
}
