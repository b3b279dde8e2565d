export { callModel, callWrites, type ModelCall, methodWrites, modelCallSchema, prepareModelCall } from './call.ts';
export { mostRecords } from './record-methods.ts';
