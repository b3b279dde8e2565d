import { Followers } from '@pergola/mail';
import { Seo } from '@pergola/website';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, PergolaError, type Values } from 'pergola';
import { HOURLY, TAG } from '../constants.ts';
import { tagPath } from '../routes/paths.ts';
import { HourlyLimits } from '../services/hourly-limits.ts';
import { Permissions, requireUser } from '../services/permissions.ts';
import { tagNames } from '../services/tag-names.ts';

/** A topic of questions in one forum. */
export class ForumTag extends model(
  'forum.tag',
  {
    name: f.char({ required: true, size: TAG.max }),
    forum_id: f.many2one('forum.forum', { required: true, ondelete: 'cascade', index: true }),
    post_ids: f.many2many('forum.post', {
      empty: 'none',
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
    unique: [{ fields: ['forum_id', 'name'], message: 'This tag already exists.' }],
    mixins: [Seo, Followers],
  },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<ForumTag>>[],
  ): Promise<readonly Values<FieldsOf<ForumTag>>[]> {
    if (!this.ctx.su) {
      await this.#requireRetag(values);
      const user = this.ctx.user.id;
      await this.ctx.get(HourlyLimits).require(
        HOURLY.tags,
        (system, since) =>
          system.model(ForumTag).count([
            ['create_uid', '=', user],
            ['create_date', '>', since],
          ]),
        values.length,
      );
    }
    return super.beforeCreate(values.map((value) => ({ ...value, name: plainTag(value.name) })));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<ForumTag>>): Promise<Values<FieldsOf<ForumTag>>> {
    const normalized = 'name' in values ? { ...values, name: plainTag(values.name) } : values;
    return super.beforeWrite(ids, normalized);
  }

  /** Number of public questions with each tag. */
  async computePostsCount(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.read(ids, { select: { post_ids: { website_visible: true } } });
    return new Map(
      rows.map(({ id, post_ids }) => [id, post_ids.filter(({ website_visible }) => website_visible).length]),
    );
  }

  /** Path of each tag's question list. */
  async tagUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, forum_id: { name: true } } });
    return new Map(
      rows.flatMap(({ forum_id, ...tag }) => (forum_id ? [[tag.id, tagPath(forum_id, tag)] as const] : [])),
    );
  }

  /**
   * Returns the IDs of tags by name, creating missing ones.
   *
   * @throws NotAllowed if a tag is new and the caller has too little karma to create it
   */
  async idsFor(forum: Id, names: readonly string[]): Promise<Id[]> {
    const normalizedNames = [...new Set(names.map(plainTag))];
    const existingTags = await this.find(
      [
        ['forum_id', '=', forum],
        ['name', 'in', normalizedNames],
      ],
      { select: { name: true } },
    );
    const byName = new Map(existingTags.map(({ id, name }) => [name, id]));
    for (const name of normalizedNames)
      if (!byName.has(name)) byName.set(name, await this.create({ name, forum_id: forum }));
    return normalizedNames.flatMap((name) => byName.get(name) ?? []);
  }

  /**
   * Returns the IDs of tags from a form, creating missing ones. `select2` is a list of IDs, with an underscore before new names; `texttext`
   * is a JSON list of names; anything else is free text with names separated by commas, spaces or underscores.
   *
   * @throws InvalidInput for `question_tags`, NotAllowed for new tags without the karma
   */
  async idsFromForm(forum: Id, text: string, type: string): Promise<Id[]> {
    const { ids, names } = type === 'select2' ? fromSelect2(text) : { ids: [], names: namesIn(text, type) };
    if (ids.length + names.length > TAG.most) throw wrong('Use up to 5 tags.');
    const bad = names.find((name) => [...name].length < TAG.min || [...name].length > TAG.max);
    if (bad !== undefined) throw wrong('Tags must be 2 to 35 characters long.');
    const existingIds = await this.search([
      ['id', 'in', ids],
      ['forum_id', '=', forum],
    ]);
    try {
      return [...new Set([...existingIds, ...(await this.idsFor(forum, names))])];
    } catch (error) {
      if (error instanceof PergolaError && error.code === 'forum.bad_tag') throw wrong(error.message);
      throw error;
    }
  }

  async #requireRetag(values: readonly Values<FieldsOf<ForumTag>>[]): Promise<void> {
    requireUser(this.ctx);
    for (const forum of new Set(values.map(({ forum_id }) => forum_id))) {
      if (!forum) continue;
      (await this.ctx.get(Permissions).in(forum)).assertHas('karma_retag');
    }
  }
}

/**
 * Normalises a tag name: lower case, 2 to 35 characters, without separators.
 *
 * @throws InvalidInput
 */
function plainTag(name: unknown): string {
  const plain = typeof name === 'string' ? name.normalize('NFC').trim().toLowerCase() : '';
  if (/[,_\s]/u.test(plain) || plain.length < TAG.min || [...plain].length > TAG.max || [...plain].length < TAG.min) {
    throw new InvalidInput('Tags must be 2 to 35 characters long, without commas, spaces or underscores.', {
      code: 'forum.bad_tag',
    });
  }
  return plain;
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

declare module 'pergola' {
  interface Models {
    'forum.tag': ForumTag;
  }
}
