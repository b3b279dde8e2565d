/** Public API of dribblo for other addons. */

export { Category } from './models/club-category.ts';
export { Competition } from './models/club-competition.ts';
export { Match } from './models/club-match.ts';
export { Member } from './models/club-member.ts';
export { Season } from './models/club-season.ts';
export { Team } from './models/club-team.ts';
export { Wall } from './models/club-wall.ts';
export { WallPost } from './models/club-wall-post.ts';
