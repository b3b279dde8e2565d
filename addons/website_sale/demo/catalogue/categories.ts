import type { Said } from './types.ts';

interface Category {
  readonly name: Said;
  readonly parent?: string;
  readonly text?: Said;
}

/** Category tree of the demo shop. */
export const categories: Readonly<Record<string, Category>> = {
  garden: {
    name: ['Garden', 'Jardin'],
    text: ['Plants, and everything to help them grow.', 'Des plantes, et de quoi les faire pousser.'],
  },
  tools: { name: ['Tools', 'Outils'], parent: 'garden' },
  seeds: { name: ['Seeds and bulbs', 'Graines et bulbes'], parent: 'garden' },
  pots: { name: ['Pots', 'Pots'], parent: 'garden' },
  table: {
    name: ['Kitchen and table', 'Cuisine et table'],
    text: ['From the hives, the orchard and the kiln.', 'Des ruches, du verger et du four.'],
  },
  pantry: { name: ['Pantry', 'Épicerie'], parent: 'table' },
  tableware: { name: ['Tableware', 'Vaisselle'], parent: 'table' },
  house: { name: ['House', 'Maison'] },
  light: { name: ['Light and scent', 'Lumière et senteurs'], parent: 'house' },
  textiles: { name: ['Textiles', 'Linge'], parent: 'house' },
  clothes: { name: ['Clothing', 'Vêtements'] },
  paper: { name: ['Paper and books', 'Papier et livres'] },
  workshop: {
    name: ['From our workshop', 'De notre atelier'],
    text: ['Made by hand between Tuesday and Saturday.', 'Fait main, du mardi au samedi.'],
  },
};
