/** Where a test reaches into a simulated world: to count awaits, or to build a known mistake into one of the parts. */
import type { SyncEngineParts } from '../../sw/sync/engine.ts';
import type { Process } from './process.ts';

export interface Engineering {
  /** Called at every await of every process. */
  onAwait?: (process: Process, point: string) => void;
  /** Replaces parts of an engine before it is made. */
  rebuild?: (parts: SyncEngineParts, process: Process) => SyncEngineParts;
}
