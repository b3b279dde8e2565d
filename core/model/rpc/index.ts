export { callModel, type ModelCall, methodWrites, modelCallSchema, prepareModelCall } from './call.ts';
export { mostRecords } from './methods.ts';
