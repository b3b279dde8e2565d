/**
 * Fictitious members of the demo club: first and last name, position. Children have full names here; the website shows first name and
 * initial.
 */
export const squads = {
  seniors: [
    'Hugo Bernard',
    'Mathis Petit',
    'Yanis Robert',
    'Théo Richard',
    'Karim Haddad',
    'Nathan Durand',
    'Lucas Moreau',
    'Amadou Diallo',
    'Enzo Simon',
    'Baptiste Laurent',
    'Rayan Lefebvre',
    'Quentin Michel',
    'Pierre Garcia',
    'Florian David',
  ],
  women: [
    'Camille Roux',
    'Inès Fournier',
    'Manon Girard',
    'Sarah Bonnet',
    'Léa Dupont',
    'Clara Lambert',
    'Fatou Ndiaye',
    'Julie Fontaine',
    'Emma Rousseau',
    'Nora Vincent',
    'Pauline Muller',
    'Anaïs Faure',
  ],
  u15: [
    'Noah Mercier',
    'Gabriel Blanc',
    'Ibrahim Traoré',
    'Louis Guérin',
    'Adam Boyer',
    'Jules Garnier',
    'Sacha Chevalier',
    'Tom François',
    'Nolan Legrand',
    'Maël Gauthier',
    'Ethan Perrin',
    'Aaron Robin',
  ],
  u11: [
    'Zoé Martin',
    'Léo Clément',
    'Lina Morin',
    'Paul Nicolas',
    'Malo Henry',
    'Jade Roussel',
    'Timéo Mathieu',
    'Alice Gautier',
    'Sohan Masson',
    'Rose Marchand',
  ],
} as const;

export type Squad = keyof typeof squads;
export const positions = [
  'goalkeeper',
  'defender',
  'defender',
  'defender',
  'defender',
  'midfielder',
  'midfielder',
  'midfielder',
  'forward',
  'forward',
] as const;

/** Typical age of a squad's players in years. */
export const ages: Readonly<Record<Squad, number>> = { seniors: 24, women: 25, u15: 14, u11: 10 };

/** `Zoé Martin` of squad u11 → `demo_u11_zoe_martin`. */
export function keyOf(squad: Squad, name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w ]/g, '')
    .toLowerCase();
  return `demo_${squad}_${plain.replaceAll(' ', '_')}`;
}
