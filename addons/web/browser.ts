/** Exports of web for browser code of other addons: moments in a time zone, as the backend shows them. */
export { fromLocalInput, localInput, momentOf, wireMoment } from './backend/lib/moments.ts';
export { isOwn, placeIn, plainPaste } from './backend/lib/paste.ts';
export { plainPhrase } from './backend/lib/phrase.ts';
export { isPicture, isReadable, pictureTypes } from './backend/lib/pictures.ts';
