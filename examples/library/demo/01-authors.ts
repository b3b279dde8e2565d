import { data } from 'pergola';
import { Author } from '../models/author.ts';

export default data(Author, {
  demo_ada: {
    name: 'Ada Greenfield',
    about: { en_US: 'Gardens on eleven balconies.', fr_FR: 'Elle jardine sur onze balcons.' },
  },
  demo_jean: {
    name: 'Jean Rucher',
    about: { en_US: 'Has kept bees since he was nine.', fr_FR: 'Apiculteur depuis ses neuf ans.' },
  },
});
