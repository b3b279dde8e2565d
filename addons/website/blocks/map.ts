import { block, z } from 'pergola';

/** Where something is: a drawing that becomes a map once it is asked for. Nothing is loaded from the map's site before. */
export const mapBlock = block('website.map', {
  label: 'Map',
  options: z.object({
    place: z.string().max(120).default('').meta({ title: 'Name of the place' }),
    address: z.string().max(200).default('').meta({ title: 'Address' }),
    // Asked for with the longitude (`PositionInput`).
    latitude: z.number().min(-90).max(90).default(0).meta({
      title: 'Place on the map',
      help: 'Paste the address of a place on OpenStreetMap or Google Maps, or type its latitude and longitude.',
    }),
    longitude: z.number().min(-180).max(180).default(0),
    zoom: z.number().int().min(3).max(18).default(15).meta({ title: 'Zoom' }),
  }),
  template: 'website.map',
  load: async (_ctx, { place, address, latitude, longitude, zoom }) => ({
    place,
    address,
    /** What the opened map is called. */
    name: place || address,
    /** None as long as nobody has said where it is. */
    url:
      latitude === 0 && longitude === 0
        ? null
        : `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${zoom}/${latitude}/${longitude}`,
  }),
});
