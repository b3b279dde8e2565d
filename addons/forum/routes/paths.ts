import { type Id, slugify } from 'pergola';

/** Path of a record below another path: `/forum/help-1`, or `/forum/1` if the name has no usable characters. */
export function recordPath(parentPath: string, name: string | null, id: Id): string {
  const slug = slugify(name ?? '');
  return `${parentPath}/${slug === '' ? id : `${slug}-${id}`}`;
}

interface NamedRecord {
  readonly id: Id;
  readonly name: string | null;
}

/** `/forum/help-1` */
export function forumPath(forum: NamedRecord): string {
  return recordPath('/forum', forum.name, forum.id);
}

/** `/forum/help-1/question/how-do-vines-climb-12` */
export function questionPath(forum: NamedRecord, question: NamedRecord): string {
  return recordPath(`${forumPath(forum)}/question`, question.name, question.id);
}

/** URL of a post: a question has its own page, an answer is on the page of its question. */
export function postPath(
  forum: NamedRecord,
  { parent_id: question, ...post }: NamedRecord & { readonly parent_id: NamedRecord | null },
): string {
  return question ? `${questionPath(forum, question)}#answer-${post.id}` : questionPath(forum, post);
}

/** `/forum/help-1/tag/roses-4/questions` */
export function tagPath(forum: NamedRecord, tag: NamedRecord): string {
  return `${recordPath(`${forumPath(forum)}/tag`, tag.name, tag.id)}/questions`;
}

/** Feed of the latest questions of a forum, or of one tag: `/forum/help-1/tag/roses-4/rss`. */
export function feedPath(forum: NamedRecord, tag: NamedRecord | null): string {
  return `${tag ? tagPath(forum, tag).replace(/\/questions$/, '') : forumPath(forum)}/rss`;
}

/** `/forum/help-1/user/7` */
export function userPath(forum: NamedRecord, user: Id): string {
  return `${forumPath(forum)}/user/${user}`;
}
