import { menu, view } from '@pergola/web';
import { SavedBlock } from './saved-block.ts';

export const views = [
  view.list(SavedBlock, { columns: ['name', 'is_shared', 'write_date'] }),
  view.form(SavedBlock, {
    title: 'name',
    sections: [{ items: ['is_shared', { field: 'content', wide: true }] }],
  }),
];

export const menus = [
  menu('website.menu_saved_blocks', {
    label: 'Saved blocks',
    parent: 'website.menu_root',
    model: SavedBlock,
    after: 'website.menu_pages',
  }),
];
