import { Followers } from '#addons/mail';
import { Seo } from '#addons/website';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, NotAllowed, type Values } from '#core';
import { HOURLY, TAG } from '../constants.ts';
import { tagPath } from '../routes/paths.ts';
import { requireHourly } from '../services/hourly-limits.ts';
import { karmaNeeded, viewerOf } from '../services/permissions.ts';

/** What questions of one forum are about. */
export class ForumTag extends model(
  'forum.tag',
  {
    name: f.char({ required: true, size: TAG.max }),
    forum_id: f.many2one('forum.forum', { required: true, ondelete: 'cascade', index: true }),
    post_ids: f.many2many('forum.post', {
      label: 'Questions',
      relation: { table: 'forum_tag_rel', from: 'forum_tag_id', to: 'forum_post_id' },
    }),
    posts_count: f.integer({
      compute: 'computePostsCount',
      depends: ['post_ids.website_visible'],
      store: true,
      label: 'Number of questions',
    }),
    website_url: f.char({ compute: 'tagUrls', label: 'Address on the website' }),
  },
  {
    order: 'posts_count desc, name, id',
    label: 'Forum tag',
    unique: [{ fields: ['forum_id', 'name'], message: 'There is such a tag already.' }],
    mixins: [Seo, Followers],
  },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<ForumTag>>[],
  ): Promise<readonly Values<FieldsOf<ForumTag>>[]> {
    if (!this.ctx.su) {
      await this.#requireRetag(values);
      await requireHourly(this.ctx, 'forum.tag', [], HOURLY.tags, values.length);
    }
    return super.beforeCreate(values.map((value) => ({ ...value, name: plainTag(value.name) })));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<ForumTag>>): Promise<Values<FieldsOf<ForumTag>>> {
    const given = 'name' in values ? { ...values, name: plainTag(values.name) } : values;
    return super.beforeWrite(ids, given);
  }

  /** How many questions that visitors see have each tag. */
  async computePostsCount(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.read(ids, { select: { post_ids: { website_visible: true } } });
    return new Map(
      rows.map(({ id, post_ids }) => [id, post_ids.filter(({ website_visible }) => website_visible).length]),
    );
  }

  /** The page of each tag's questions. */
  async tagUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, forum_id: { name: true } } });
    return new Map(
      rows.flatMap(({ forum_id, ...tag }) => (forum_id ? [[tag.id, tagPath(forum_id, tag)] as const] : [])),
    );
  }

  /**
   * The ids of tags by name, made where they are not there.
   *
   * @throws NotAllowed where one is new and the caller has too little karma to make it
   */
  async idsFor(forum: Id, names: readonly string[]): Promise<Id[]> {
    const wanted = [...new Set(names.map(plainTag))];
    const known = await this.find(
      [
        ['forum_id', '=', forum],
        ['name', 'in', wanted],
      ],
      { select: { name: true } },
    );
    const byName = new Map(known.map(({ id, name }) => [name, id]));
    for (const name of wanted) if (!byName.has(name)) byName.set(name, await this.create({ name, forum_id: forum }));
    return wanted.flatMap((name) => byName.get(name) ?? []);
  }

  async #requireRetag(values: readonly Values<FieldsOf<ForumTag>>[]): Promise<void> {
    if (this.ctx.user.id === null) throw new NotAllowed('Please sign in first.', { code: 'forum.sign_in_first' });
    for (const forum of new Set(values.map(({ forum_id }) => forum_id))) {
      if (!forum) continue;
      const viewer = await viewerOf(this.ctx, forum);
      if (!viewer.has('karma_retag')) throw karmaNeeded(viewer.table.karma_retag);
    }
  }
}

/**
 * A tag's name as it is kept: lower case, 2 to 35 characters, without separators.
 *
 * @throws InvalidInput
 */
export function plainTag(name: unknown): string {
  const plain = typeof name === 'string' ? name.normalize('NFC').trim().toLowerCase() : '';
  if (/[,_\s]/u.test(plain) || plain.length < TAG.min || [...plain].length > TAG.max || [...plain].length < TAG.min) {
    throw new InvalidInput('A tag has 2 to 35 characters, without commas, spaces and underscores.', {
      code: 'forum.bad_tag',
    });
  }
  return plain;
}

/** The tags in a text, separated by commas, spaces and underscores: lower case, each once. */
export function tagNames(text: string): string[] {
  return [
    ...new Set(
      text
        .split(TAG.separators)
        .map((name) => name.normalize('NFC').toLowerCase())
        .filter((name) => name !== ''),
    ),
  ];
}

declare module '#core' {
  interface Models {
    'forum.tag': ForumTag;
  }
}
