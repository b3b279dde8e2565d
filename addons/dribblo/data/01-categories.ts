import { data } from 'pergola';
import { Category } from '../models/club-category.ts';

const youth = (limit: number, sequence: number) => ({ name: `U${limit}`, age_limit: limit, sequence });

/** Default age groups of French football, which a club can change. */
export default data(
  Category,
  {
    category_u7: youth(7, 10),
    category_u9: youth(9, 20),
    category_u11: youth(11, 30),
    category_u13: youth(13, 40),
    category_u15: youth(15, 50),
    category_u17: youth(17, 60),
    category_u19: youth(19, 70),
    category_seniors: { name: { en_US: 'Seniors', fr_FR: 'Séniors' }, sequence: 80 },
    category_women: { name: { en_US: 'Senior women', fr_FR: 'Séniors féminines' }, sequence: 90 },
    category_veterans: { name: { en_US: 'Veterans', fr_FR: 'Vétérans' }, sequence: 100 },
  },
  { noupdate: true },
);
