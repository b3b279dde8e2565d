import { data } from 'pergola';
import { Category } from '../models/category.ts';

export default data(Category, {
  demo_garden: { name: { en_US: 'Garden', fr_FR: 'Jardin' } },
  demo_animals: { name: { en_US: 'Animals', fr_FR: 'Animaux' } },
});
