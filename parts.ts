import { changesPart } from '@pergola/changes';
import { breakersPart, clusterPart } from '@pergola/cluster';
import type { Part } from '@pergola/core';
import { dbPart } from '@pergola/db';
import { filesPart } from '@pergola/files';
import { httpPart } from '@pergola/http';
import { islandsPart } from '@pergola/islands';
import { jobsPart } from '@pergola/jobs';
import { mailPart } from '@pergola/mailer';
import { costsPart, operationsPart } from '@pergola/operations';
import { ormPart } from '@pergola/orm';
import { pageCachePart } from '@pergola/page-cache';
import { pagesPart } from '@pergola/pages';
import { rehearsalPart } from '@pergola/rehearsal';
import { settingsPart } from '@pergola/settings';
import { switchingPart } from '@pergola/switching';
import { textsPart } from '@pergola/texts';

/** All parts that make up Pergola, besides addons, in any order: each part declares its dependencies. */
export const parts: readonly Part[] = [
  breakersPart,
  changesPart,
  pageCachePart,
  clusterPart,
  dbPart,
  filesPart,
  httpPart,
  textsPart,
  switchingPart,
  islandsPart,
  jobsPart,
  mailPart,
  ormPart,
  operationsPart,
  costsPart,
  pagesPart,
  rehearsalPart,
  settingsPart,
];
