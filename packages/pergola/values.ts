import { values } from '@pergola/core';
import { files } from '@pergola/files';
import { formats } from '@pergola/texts';

/** What the application puts into the container of each generation, for services that need it: `service('forum.karma', { log: app.log })`. */
export const app = Object.freeze({ ...values, files, formats });
