import { MultiWebsite, Published, Seo } from '@pergola/website';
import { f, type Id, type Ids, model } from 'pergola';

/** A wall with short news and photos: `/wall/<id>`. */
export class Wall extends model(
  'club.wall',
  {
    name: f.char({ required: true, size: 80, translate: true }),
    description: f.text({ translate: true }),
    member_posts: f.boolean({
      label: 'Members can post',
      help: 'Their posts appear once a wall manager approves them',
    }),
    post_ids: f.one2many('club.wall.post', 'wall_id', { label: 'Posts' }),
  },
  { order: 'name, id', label: 'Wall', mixins: [Published, Seo, MultiWebsite] },
) {
  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    return new Map(ids.map((id) => [id, `/wall/${id}`]));
  }
}

declare module 'pergola' {
  interface Models {
    'club.wall': Wall;
  }
}
