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

const made = (key: string, karma: number, partner = `forum.demo_partner_${key}`): Person => ({
  user: `forum.demo_user_${key}`,
  partner,
  isNew: true,
  karma,
});

/** Demo authors: a moderator, members of all levels, and a newcomer. */
export const writers: Readonly<Record<Writer, Person>> = {
  camille: { user: 'base.demo_editor', partner: 'base.demo_editor_partner', isNew: false, karma: 1240 },
  jo: { user: 'base.demo_portal', partner: 'base.demo_portal_partner', isNew: false, karma: 168 },
  karim: made('karim', 1480, 'website.demo_karim'),
  jeanne: made('jeanne', 930, 'website.demo_jeanne'),
  paul: made('paul', 760, 'website.demo_paul'),
  amelie: made('amelie', 540, 'website.demo_amelie'),
  ines: made('ines', 410),
  ada: made('ada', 320),
  lucas: made('lucas', 95),
  tomas: made('tomas', 31),
};

export const names = Object.keys(writers) as Writer[];
