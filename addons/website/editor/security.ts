import { access } from 'pergola';
import { WebsiteRevision } from './models/revision.ts';

/** Editors see versions through the records they belong to (`history`); the list as such is for administrators. */
export const lists = [access(WebsiteRevision, { 'base.group_system': 'r' })];
