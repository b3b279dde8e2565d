import { configure } from '@testing-library/react';

// On a busy machine the first screen of a run takes longer than the second that a look waits by itself.
configure({ asyncUtilTimeout: 10_000 });
