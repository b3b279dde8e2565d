import { definePart } from '@pergola/core';
import { islandsPart } from '@pergola/islands';
import { ormPart } from '@pergola/orm';
import { textsPart } from '@pergola/texts';
import { pagePoints } from './points.ts';

/** Templates, blocks and fragments. */
export const pagesPart = definePart({ name: 'pages', needs: [textsPart, ormPart, islandsPart], points: pagePoints });
