import { jest } from '@jest/globals';

// On the machine of continuous integration, which others share, a test that is late once gets a second and third try; what failed is printed.
if (process.env.CI) jest.retryTimes(2, { logErrorsBeforeRetry: true });
