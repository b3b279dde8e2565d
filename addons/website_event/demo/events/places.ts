import { ref } from 'pergola';

/** Fictitious venues of the demo events. */
export const places = {
  demo_place_detroit: place('Chamber Works', '60 Rosewood Avenue', '48226', 'Detroit', 'us', 'state_us_mi'),
  demo_place_los_angeles: place('Harbor Hall', '1200 Ocean Terrace', '90012', 'Los Angeles', 'us', 'state_us_ca'),
  demo_place_paris: place('La Verrière', '18 passage des Tonneliers', '75011', 'Paris', 'fr'),
  demo_place_lyon: place('Halle des Canuts', '4 montée du Métier', '69004', 'Lyon', 'fr'),
  demo_place_brussels: place('Gare du Midi-Nord', 'Rue de l’Aiguillage 7', '1000', 'Brussels', 'be'),
  demo_place_geneva: place('Maison du Lac', 'Quai des Bateliers 12', '1204', 'Geneva', 'ch'),
  demo_place_montreal: place('Entrepôt 9', '9 rue du Canal', 'H3C 2T1', 'Montréal', 'ca', 'state_ca_qc'),
  demo_place_berlin: place('Alte Weberei', 'Fadenstraße 21', '10115', 'Berlin', 'de'),
};

function place(name: string, street: string, zip: string, city: string, country: string, state?: string) {
  return {
    name,
    is_company: true,
    street,
    zip,
    city,
    country_id: ref(`base.${country}`),
    ...(state ? { state_id: ref(`base.${state}`) } : {}),
  };
}
