import { isVoid, operationKinds } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { BatchScreen, BatchWriter, Description, OperationModule } from './operation-module.ts';
import { describeVoided, voidKind } from './voids.ts';

export type RegisteredModule = OperationModule | BatchWriter;

/** Modules in the order in which they load, lock and write. The platform writes the receipts before them. */
export interface RegisteredModules {
  screens: readonly BatchScreen[];
  writers: readonly RegisteredModule[];
}

/**
 * The modules by operation kind. Here a module's operation type is erased, because TypeScript compares the parameters
 * of methods both ways: the registry hands a module only operations of the kinds that it registered.
 */
export class OperationRegistry {
  /** Those with kinds of their own. */
  readonly modules: readonly OperationModule[];
  private readonly byKind = new Map<string, OperationModule>();

  /** @throws when a kind has no module, or two */
  constructor(readonly registered: RegisteredModules) {
    this.modules = registered.writers.filter((module) => 'kinds' in module);
    for (const module of this.modules) {
      for (const kind of module.kinds) {
        if (this.byKind.has(kind)) throw new Error(`Two modules register the operation kind ${kind}`);
        this.byKind.set(kind, module);
      }
    }
    const orphan = operationKinds.find((kind) => kind !== voidKind && !this.byKind.has(kind));
    if (orphan) throw new Error(`No module registers the operation kind ${orphan}`);
  }

  /** Returns undefined for a void, and for a kind that could not be read. */
  moduleOf({ kind }: AnyOperation): OperationModule | undefined {
    return this.byKind.get(kind);
  }

  /** Returns the aggregate that the payload names; a void belongs to the aggregate of the operation it gives up. */
  aggregateOf(operation: AnyOperation): string {
    return isVoid(operation) ? operation.aggregate : this.byKind.get(operation.kind)!.aggregateOf(operation);
  }

  /**
   * Describes an operation. One whose kind could not be read is described by whichever module recognises the payload.
   */
  describe(kind: string, payload: unknown): Description {
    const fields = (payload ?? {}) as Record<string, unknown>;
    if (kind === voidKind) return describeVoided(fields);
    const module = this.byKind.get(kind);
    if (module) return module.describe(fields);
    return this.modules.reduce<Description>((found, each) => ({ ...each.describe(fields), ...found }), {});
  }
}
