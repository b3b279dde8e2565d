import TestRunner from 'jest-runner';

/** Runs its test files one after the other, in a process of their own: journeys in a browser measure time, and two at once disturb each other. */
export default class SerialRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
}
