import { data } from '#core';
import { Book } from '../models/book.ts';

export default data(Book, {
  demo_garden: {
    name: { en_US: 'The Small Garden', fr_FR: 'Le petit jardin' },
    author: 'Ada Greenfield',
    copies: 2,
    website_published: true,
  },
  demo_bees: {
    name: { en_US: 'Bees at Home', fr_FR: 'Des abeilles chez soi' },
    author: 'Jean Rucher',
    website_published: true,
  },
});
