/** Reads of the fiscal records and of their sending, and what a write reloads. */
import type {
  ChainResource,
  DeclarationResource,
  RecordFilter,
  RecordsPage,
  SendingStatus,
} from '#domain/fiscal/resources.ts';
import type { Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export const useSendingStatus = () => useServerData<Reply<SendingStatus>>('fiscal/sending');

export const useChains = () => useServerData<Reply<ChainResource[]>>('fiscal/chains');

export const useFiscalRecords = (query: { state: RecordFilter | ''; number: string; cursor: string | null }) =>
  useServerData<RecordsPage>('fiscal/records', query);

export const useDeclaration = () => useServerData<Reply<DeclarationResource>>('fiscal/declaration');

export const fiscalPaths = ['fiscal'];
