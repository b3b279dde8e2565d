import { access } from 'pergola';
import { WebsiteRevision } from './models/revision.ts';

/** Editors see versions through their records (`history`); only administrators have access to the list itself. */
export const lists = [access(WebsiteRevision, { 'base.group_system': 'r' })];
