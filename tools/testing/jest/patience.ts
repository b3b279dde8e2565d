import { configure } from '@testing-library/react';

// On a busy machine the first render in a run takes longer than the default timeout of one second.
configure({ asyncUtilTimeout: 10_000 });
