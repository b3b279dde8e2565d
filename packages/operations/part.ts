import { clusterPart } from '@pergola/cluster';
import { definePart } from '@pergola/core';
import { dbPart } from '@pergola/db';
import { filesPart, uploadLimits } from '@pergola/files';
import { httpPart, vitals } from '@pergola/http';
import { settingsPart } from '@pergola/settings';
import { uploadLimitsOf } from './upload-limits.ts';
import { VitalSigns } from './vitals.ts';

/** Health, backups and limits for running a site. */
export const operationsPart = definePart({
  name: 'operations',
  needs: [dbPart, filesPart, settingsPart, httpPart, clusterPart],
  provide(host) {
    host.set(uploadLimits, uploadLimitsOf);
    host.set(vitals, new VitalSigns(host));
  },
});
