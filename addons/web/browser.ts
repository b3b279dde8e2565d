/** Exports of web for browser code of other addons, as the backend uses them. */
export { newChangeKey } from './backend/lib/change-key.ts';
export { fromLocalInput, localInput, momentOf, wireMoment } from './backend/lib/moments.ts';
export { isOwn, placeIn, plainPaste } from './backend/lib/paste.ts';
export { plainPhrase } from './backend/lib/phrase.ts';
export { isPicture, isReadable, pictureTypes } from './backend/lib/pictures.ts';
