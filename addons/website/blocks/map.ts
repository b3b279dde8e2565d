import { block, z } from 'pergola';

/** Map with a placeholder drawing. Loads nothing from the map provider until the visitor opens it. */
export const mapBlock = block('website.map', {
  label: 'Map',
  options: z.object({
    place: z.string().max(120).default('').meta({ title: 'Place name' }),
    address: z.string().max(200).default('').meta({ title: 'Address' }),
    // Edited together with the longitude (`PositionInput`).
    latitude: z.number().min(-90).max(90).default(0).meta({
      title: 'Location',
      help: 'Paste a link from OpenStreetMap or Google Maps, or enter a latitude and longitude.',
    }),
    longitude: z.number().min(-180).max(180).default(0),
    zoom: z.number().int().min(3).max(18).default(15).meta({ title: 'Zoom' }),
  }),
  template: 'website.map',
  load: async (_ctx, { place, address, latitude, longitude, zoom }) => ({
    place,
    address,
    /** Title of the opened map. */
    name: place || address,
    /** Null until editors set a location. */
    url:
      latitude === 0 && longitude === 0
        ? null
        : `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${zoom}/${latitude}/${longitude}`,
  }),
});
