import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastingMemory } from '../build-memory.ts';
import { createLog } from '../log.ts';

const silent = createLog('silent');

describe('What building worked out', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memory-'));
    file = join(folder, 'kept/memory.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Returns how often the result was computed, and the result. */
  function recall(kind: string, text: string): [number, unknown] {
    const memory = lastingMemory(file, silent);
    let callCount = 0;
    const value = memory.recall(kind, text, () => {
      callCount += 1;
      return { length: text.length };
    });
    return [callCount, value];
  }

  it('is found by the next process for the same text and kind, and by none for another', async () => {
    const memory = lastingMemory(file, silent);
    memory.recall('source', '<p>', () => ({ length: 3 }));
    await memory.save();
    expect(recall('source', '<p>')).toEqual([0, { length: 3 }]);
    expect(recall('source', '<b>')).toEqual([1, { length: 3 }]);
    expect(recall('patch', '<p>')).toEqual([1, { length: 3 }]);
  });

  it('counts as forgotten when other code kept it, or the file is broken', async () => {
    const memory = lastingMemory(file, silent);
    memory.recall('source', '<p>', () => ({ length: 3 }));
    await memory.save();
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...stored, code: 'of another version' }));
    expect(recall('source', '<p>')).toEqual([1, { length: 3 }]);
    writeFileSync(file, '{"code":');
    expect(recall('source', '<p>')).toEqual([1, { length: 3 }]);
  });

  it('does without a file where none can be written', async () => {
    const memory = lastingMemory('/dev/null/memory.json', silent);
    expect(memory.recall('source', '<p>', () => 1)).toBe(1);
    await expect(memory.save()).resolves.toBeUndefined();
  });
});
