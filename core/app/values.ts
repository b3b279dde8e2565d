import { values } from '../context/index.ts';
import { files } from '../files/index.ts';
import { formats } from '../i18n/index.ts';

/** What the application puts into the container of each generation, for services that need it: `service('forum.karma', { log: app.log })`. */
export const app = Object.freeze({ ...values, files, formats });
