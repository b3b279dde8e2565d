import { advertPieces } from './adverts.ts';
import { birthdayPieces } from './birthdays.ts';
import { callUpPieces } from './callups.ts';
import { countdownPieces } from './countdown.ts';
import { matchPieces } from './matches.ts';
import { postPieces } from './posts.ts';
import { socialPieces } from './social.ts';
import { standingsPieces } from './standings.ts';
import { teamPieces } from './teams.ts';
import { weatherPieces } from './weather.ts';
import { weekPieces } from './week.ts';

const pieces = [
  matchPieces,
  weekPieces,
  standingsPieces,
  callUpPieces,
  birthdayPieces,
  teamPieces,
  postPieces,
  advertPieces,
  countdownPieces,
  weatherPieces,
  socialPieces,
];

/** All blocks of the club in the order of the drawer, with their drawer entries and refresh calls. */
export const blocks = pieces.flatMap((piece) => piece.blocks);
export const entries = pieces.flatMap((piece) => piece.snippets);
export const blockRoutes = pieces.flatMap((piece) => piece.routes);
