/**
 * Mutation tests prove that the checkers work: each mutation is a known bug of programs like this one, and the checkers must
 * find it. A mutation replaces a function of the product, or a part of the sync engine, within the test only. Each replacement
 * receives the real function as its first argument.
 */
import type { AttentionResource } from '#domain/protocol/sync.ts';
import type { SyncStore } from '#sw/sync/store.ts';
import type { Net } from '#sw/sync/ports.ts';
import type { Process, ProcessHooks } from '../clients/process.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Incident, NetworkFault, Profile } from '../faults/profile.ts';
import type { Replacement } from '#tests/support/replaceable.ts';

export interface Mutation {
  name: string;
  /** Replacements of product functions, by name. */
  functions?: (cluster: Cluster) => Record<string, Replacement>;
  store?: (store: SyncStore, process: Process) => Partial<SyncStore>;
  net?: (net: Net, process: Process) => Net;
  /** The first seed whose history shows the mutation; 1 if omitted. The search begins there. */
  seed?: number;
  /** Faults that reveal the mutation and become frequent, and changes to the rest of the profile. */
  under?: {
    networkFaults?: readonly NetworkFault[];
    incidents?: readonly Incident[];
    profile?: Partial<Omit<Profile, 'networkFaults' | 'incidents'>>;
  };
  /** The mutation is harmless with a single server process. */
  needsSeveralServers?: true;
}

/** Returns replacements that raise no attention item of this kind. */
export const untold = (kind: AttentionResource['kind']): Record<string, Replacement> => ({
  raiseAttention: (real, sql, clinicId, atMs, concerns: { kind: string }[]) => {
    const others = concerns.filter((concern) => concern.kind !== kind);
    return real(sql, clinicId, atMs, others) as unknown;
  },
});

/** Returns hooks that build the mutation into the parts of each sync engine. */
export function hooksOf({ store, net }: Mutation): ProcessHooks {
  return {
    rebuild: (parts, process) => ({
      ...parts,
      store: { ...parts.store, ...store?.(parts.store, process) },
      net: net?.(parts.net, process) ?? parts.net,
    }),
  };
}

/** Derives another operation id from an id. */
export const otherId = (opId: string): string => `${opId.slice(0, 34)}${opId.slice(35)}${opId[34]}`;
