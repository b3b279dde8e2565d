import { data } from 'pergola';
import { ForumPostReason } from '../models/forum-post-reason.ts';

/** Reasons for closing questions and flagging offensive posts, with the external IDs of Odoo. */
export default data(
  ForumPostReason,
  {
    reason_1: { name: { en_US: 'duplicate post', fr_FR: 'question déjà posée' }, sequence: 1 },
    reason_2: { name: { en_US: 'off-topic or not relevant', fr_FR: 'hors sujet' }, sequence: 2 },
    reason_3: {
      name: { en_US: 'too subjective and argumentative', fr_FR: 'trop subjective ou polémique' },
      sequence: 3,
    },
    reason_4: { name: { en_US: 'not a real question', fr_FR: 'pas une vraie question' }, sequence: 4 },
    reason_6: { name: { en_US: 'not relevant or outdated', fr_FR: 'plus d’actualité' }, sequence: 6 },
    reason_7: {
      name: {
        en_US: 'contains offensive or malicious remarks',
        fr_FR: 'contient des propos offensants ou malveillants',
      },
      costs_karma: true,
      sequence: 7,
    },
    reason_8: {
      name: { en_US: 'spam or advertising', fr_FR: 'publicité ou message indésirable' },
      costs_karma: true,
      sequence: 8,
    },
    reason_9: { name: { en_US: 'too localized', fr_FR: 'trop particulière' }, sequence: 9 },
    reason_11: {
      name: { en_US: 'insulting and offensive language', fr_FR: 'propos insultants ou offensants' },
      reason_type: 'offensive',
      sequence: 11,
    },
    reason_12: {
      name: { en_US: 'violent language', fr_FR: 'propos violents' },
      reason_type: 'offensive',
      sequence: 12,
    },
    reason_13: {
      name: { en_US: 'inappropriate and unacceptable statements', fr_FR: 'déclarations inacceptables' },
      reason_type: 'offensive',
      sequence: 13,
    },
    reason_14: {
      name: { en_US: 'threatening language', fr_FR: 'propos menaçants' },
      reason_type: 'offensive',
      sequence: 14,
    },
    reason_15: {
      name: { en_US: 'racist and hate speech', fr_FR: 'propos racistes ou haineux' },
      reason_type: 'offensive',
      sequence: 15,
    },
  },
  { noupdate: true },
);
