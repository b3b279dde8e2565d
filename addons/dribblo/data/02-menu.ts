import { WebsiteMenu } from '@pergola/website';
import { data, ref } from 'pergola';

const entry = (english: string, french: string, url: string, sequence: number) => ({
  name: { en_US: english, fr_FR: french },
  url,
  parent_id: ref('dribblo.menu_club'),
  sequence,
});

/** Menu items of the club. */
export default data(
  WebsiteMenu,
  {
    menu_club: {
      name: { en_US: 'The club', fr_FR: 'Le club' },
      url: '',
      parent_id: ref('website.main_menu'),
      sequence: 35,
    },
    menu_club_matches: entry('Matches', 'Matchs', '/matchs', 20),
    menu_club_teams: entry('Teams', 'Équipes', '/teams', 30),
  },
  { noupdate: true },
);
