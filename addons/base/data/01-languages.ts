import { data } from 'pergola';
import { Language } from '../models/language.ts';

export default data(
  Language,
  {
    lang_en: { name: 'English', code: 'en_US', url_code: 'en', sequence: 1 },
    lang_fr: { name: 'Français', code: 'fr_FR', url_code: 'fr', sequence: 2 },
  },
  { noupdate: true },
);
