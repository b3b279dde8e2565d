import type { Writer } from './shape.ts';

interface Person {
  /** External IDs. */
  readonly user: string;
  readonly partner: string;
  /** Whether this addon's demo data creates the user. */
  readonly isNew: boolean;
  /** Final karma. */
  readonly karma: number;
}

const demoPerson = (key: string, karma: number, partner = `forum.demo_partner_${key}`): Person => ({
  user: `forum.demo_user_${key}`,
  partner,
  isNew: true,
  karma,
});

/** Demo authors: a moderator, members of all levels, and a newcomer. */
export const writers: Readonly<Record<Writer, Person>> = {
  camille: { user: 'base.demo_editor', partner: 'base.demo_editor_partner', isNew: false, karma: 1240 },
  jo: { user: 'base.demo_portal', partner: 'base.demo_portal_partner', isNew: false, karma: 168 },
  karim: demoPerson('karim', 1480, 'website.demo_karim'),
  jeanne: demoPerson('jeanne', 930, 'website.demo_jeanne'),
  paul: demoPerson('paul', 760, 'website.demo_paul'),
  amelie: demoPerson('amelie', 540, 'website.demo_amelie'),
  ines: demoPerson('ines', 410),
  ada: demoPerson('ada', 320),
  lucas: demoPerson('lucas', 95),
  tomas: demoPerson('tomas', 31),
};

export const names = Object.keys(writers) as Writer[];
