import { Published } from '@pergola/website';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';

/** A wall post. It isn't published while it awaits approval. */
export class WallPost extends model(
  'club.wall.post',
  {
    wall_id: f.many2one('club.wall', { required: true, ondelete: 'cascade', index: true }),
    name: f.char({ required: true, size: 160, translate: true, label: 'Title' }),
    descr: f.html({ sanitize: 'comment', translate: true, label: 'Text' }),
    image: f.image({ label: 'Photo' }),
    author_id: f.many2one('res.partner', { empty: 'none', label: 'Author', readonly: true }),
    removal_asked: f.boolean({ label: 'Removal requested', help: 'By the author', copy: false, index: true }),
    url_post: f.char({ compute: 'postUrls', label: 'Link' }),
  },
  {
    order: 'create_date desc, id desc',
    label: 'Post',
    mixins: [Published],
    indexes: [['wall_id', 'create_date']],
  },
) {
  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    return this.postUrls(ids);
  }

  async postUrls(ids: Ids): Promise<Map<Id, string>> {
    return new Map(ids.map((id) => [id, `/wall/posts/${id}`]));
  }

  override async beforeCreate(
    values: readonly Values<FieldsOf<WallPost>>[],
  ): Promise<readonly Values<FieldsOf<WallPost>>[]> {
    for (const { name } of values) requireTitle(name);
    return super.beforeCreate(values);
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<WallPost>>): Promise<Values<FieldsOf<WallPost>>> {
    if ('name' in values) requireTitle(values.name);
    return super.beforeWrite(ids, values);
  }
}

/**
 * Validates a title, or its translations; a removed translation (null) falls back to another language.
 *
 * @throws InvalidInput without a title, with the message from the specification
 */
export function requireTitle(name: unknown): void {
  const texts: unknown[] =
    typeof name === 'object' && name !== null ? Object.values(name).filter((text) => text !== null) : [name];
  if (texts.every((text) => typeof text === 'string' && text.trim() !== '')) return;
  throw new InvalidInput('Le titre est obligatoire!', {
    code: 'dribblo.no_title',
    fields: { name: 'Le titre est obligatoire!' },
  });
}

declare module 'pergola' {
  interface Models {
    'club.wall.post': WallPost;
  }
}
