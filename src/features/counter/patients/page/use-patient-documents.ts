/** A patient's documents: those of this device at once, and those on the server as it answers. */
import { useEffect, useState } from 'react';
import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { readPage } from '#src/api/read-page.ts';
import type { OrderRow } from '#src/db/database.ts';
import { treatmentsOf } from '#src/db/queries/patients.ts';
import { orderRow } from '#src/db/rows.ts';
import { db } from '#src/local-data/database.ts';
import type { Page } from '#src/server-data/list-query.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { salesOf } from '#src/features/counter/sales/sales.ts';
import type { Sale } from '#src/features/counter/sales/sales.ts';

/** Treatments are read with all their documents. */
const treatmentsPerPage = 50;

export interface PatientDocuments {
  /** Undefined until this device has answered. */
  documents: Sale[] | undefined;
  /** `server` once the list includes what the server has of the treatments that were read. */
  source: 'loading' | 'server' | 'away';
  /** Treatments on the server that were not read yet. */
  remaining: number;
  /** Reads the next treatments, or tries again. */
  loadMore: () => void;
}

export function usePatientDocuments(patientId: string): PatientDocuments {
  const [told, setTold] = useState<{ orders: OrderRow[]; total: number }>({ orders: [], total: 0 });
  const [source, setSource] = useState<PatientDocuments['source']>('loading');
  const [request, setRequest] = useState({ page: 1, attempt: 0 });
  const documents = useLiveQuery(async () => {
    const here = await treatmentsOf(db, patientId);
    const known = new Set(here.map(({ id }) => id));
    return salesOf([...here, ...told.orders.filter(({ id }) => !known.has(id))], Number.POSITIVE_INFINITY);
  }, [patientId, told]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void readTreatments(patientId, request.page, signal).then(
      ({ orders, total }) => {
        setSource('server');
        setTold((before) => ({ total, orders: request.page === 1 ? orders : [...before.orders, ...orders] }));
      },
      () => signal.aborted || setSource('away'),
    );
    return () => controller.abort();
  }, [patientId, request]);
  return {
    documents,
    source,
    remaining: Math.max(0, told.total - told.orders.length),
    loadMore: () => {
      setSource('loading');
      setRequest(({ page, attempt }) => ({ page: source === 'server' ? page + 1 : page, attempt: attempt + 1 }));
    },
  };
}

async function readTreatments(patientId: string, page: number, signal: AbortSignal) {
  const searchParams = { page, per_page: treatmentsPerPage };
  const { data, pagination } = await readPage<Page<OrderResource>>(`patients/${patientId}/treatments`, {
    searchParams,
    signal,
  });
  return { orders: data.map((resource) => orderRow(orderFromResource(resource), 0)), total: pagination.total };
}
