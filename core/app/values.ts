import { values } from '../context/values.ts';
import { files } from '../files/types.ts';
import { formats } from '../i18n/values.ts';

/** What the application puts into the container of each generation, for services that need it: `service('forum.karma', { log: app.log })`. */
export const app = Object.freeze({ ...values, files, formats });
