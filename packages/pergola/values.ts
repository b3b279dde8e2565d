import { values } from '@pergola/core';
import { files } from '@pergola/files';
import { formats } from '@pergola/texts';

/**
 * Values the application adds to the container of each generation, for services that need them: `service('forum.karma', { log: app.log })`.
 */
export const app = Object.freeze({ ...values, files, formats });
