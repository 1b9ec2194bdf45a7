/**
 * The goals of all sections: what each figure is, which statistic counts, and what it has to reach. A figure without a
 * limit is shown for comparison.
 */
export type Statistic = 'median' | 'p95' | 'p98' | 'p99' | 'worst';

export interface Goal {
  /** Names the row of the table. */
  what: string;
  of: Statistic;
  /** Empty for numbers without a unit; `×` for ratios. */
  unit: 'ms' | 's' | 'MB' | 'sales/s' | 'files' | '×' | '';
  below?: number;
  atMost?: number;
  atLeast?: number;
  /** What the ratio beside the figure compares it with. */
  comparedWith?: string;
}

const timesFaster = (rival: string, at: string, atLeast?: number): Goal => ({
  what: `Sending at ${at}: times faster than ${rival}`,
  of: 'median',
  unit: '×',
  ...(atLeast !== undefined && { atLeast }),
});

/** The goals of the comparison at one delay of the network. Rivals that do the same work have a goal; others are shown. */
const sending = (at: string, { booking, workbox }: { booking: number; workbox: number }) =>
  ({
    ours: {
      what: `Sending at ${at}, until the effects are back`,
      of: 'median',
      unit: 'sales/s',
      comparedWith: 'a strict IndexedDB transaction each',
    },
    limit: { what: `Sending at ${at}: share of the batched limit`, of: 'median', unit: '×', atLeast: 0.4 },
    workbox: timesFaster("Workbox with the product's REST calls", at, workbox),
    rest: timesFaster("the product's REST calls in sequence", at, booking),
    workboxBooked: timesFaster('Workbox with plain bookings', at, booking),
    restBooked: timesFaster('plain bookings in sequence', at, booking),
    rxdbBooked: timesFaster('RxDB with plain bookings', at, booking),
    pouchBooked: timesFaster('PouchDB with plain bookings', at, booking),
    rxdbDocuments: timesFaster('RxDB that only stores documents', at),
    pouchDocuments: timesFaster('PouchDB that only keeps documents in memory', at),
  }) satisfies Record<string, Goal>;

export const goals = {
  bundle: {
    signIn: { what: 'First visit to the sign-in page, share of its budget', of: 'worst', unit: '×', atMost: 1 },
    counter: { what: 'First visit to the counter, share of its budget', of: 'worst', unit: '×', atMost: 1 },
    worker: { what: 'Service worker, share of its budget', of: 'worst', unit: '×', atMost: 1 },
    files: { what: 'Files fetched at install', of: 'worst', unit: 'files', below: 118 },
  },
  counter: {
    tap: {
      what: 'Tap to stored sale',
      of: 'p95',
      unit: 'ms',
      below: 50,
      comparedWith: 'a bare strict transaction',
    },
    tapStopped: {
      what: 'Tap to stored sale, server stopped',
      of: 'p95',
      unit: 'ms',
      below: 50,
      comparedWith: 'with the server',
    },
    keystroke: { what: 'Keystroke to result', of: 'p95', unit: 'ms', below: 50 },
  },
  opening: {
    tappable: { what: 'Opening offline until a service can be tapped', of: 'median', unit: 'ms', below: 700 },
    firstPaint: { what: 'Opening offline until the first paint', of: 'median', unit: 'ms' },
    searched: { what: 'Opening offline until search results', of: 'median', unit: 'ms', below: 1000 },
    largestPaint: { what: 'Opening offline until the largest paint', of: 'worst', unit: 'ms', below: 1500 },
    shift: { what: 'Layout shift while opening', of: 'worst', unit: '', atMost: 0 },
    interactions: { what: 'Tap or key to the next frame, a minute of work', of: 'p98', unit: 'ms', below: 50 },
  },
  unlock: {
    pin: { what: 'Last digit of a PIN until the counter can be tapped', of: 'median', unit: 'ms', below: 500 },
    pinReloaded: { what: 'The same after a reload of the locked app', of: 'median', unit: 'ms', below: 500 },
    pinOffline: { what: 'The same without a network', of: 'median', unit: 'ms', below: 500 },
    password: { what: 'A password until the counter can be tapped', of: 'median', unit: 'ms' },
  },
  lighthouse: {
    signIn: { what: 'Lighthouse, mobile, sign-in page on a first visit', of: 'median', unit: '', atLeast: 97 },
    counter: { what: 'Lighthouse, mobile, counter of an installed app', of: 'median', unit: '', atLeast: 97 },
  },
  sync: sending('0 ms', { booking: 3, workbox: 40 }),
  'sync-far': sending('50 ms', { booking: 2, workbox: 100 }),
  commit: {
    createTreatment: {
      what: 'Commit of a treatment, times a bare transaction, p99',
      of: 'worst',
      unit: '×',
      atMost: 2,
    },
    takePayment: { what: 'Commit of a payment, times a bare transaction, p99', of: 'worst', unit: '×', atMost: 2 },
  },
  drain: {
    drained: { what: '5,000 operations of three days sent by the app', of: 'median', unit: 's', atMost: 5 },
    tap: { what: 'Tap to stored sale while 5,000 operations are sent', of: 'p95', unit: 'ms', below: 80 },
    keystroke: { what: 'Keystroke to result while 5,000 operations are sent', of: 'p95', unit: 'ms', below: 80 },
    misplaced: { what: 'Operations of a treatment that arrived out of order', of: 'worst', unit: '', atMost: 0 },
    heap: { what: "The worker's heap while sending", of: 'worst', unit: 'MB' },
  },
  money: {
    batches: {
      what: 'Money in batches, share of bare SQL',
      of: 'median',
      unit: '×',
      atLeast: 0.8,
    },
    single: { what: 'Money one sale at a time, share of bare SQL', of: 'median', unit: '×', atLeast: 0.75 },
  },
  reports: {
    tenth: { what: 'Slowest report over 100,000 treatments, p95', of: 'worst', unit: 'ms', below: 150 },
    whole: { what: 'Slowest report over 1,000,000 treatments, p95', of: 'worst', unit: 'ms', below: 150 },
    growth: { what: 'Growth of a report from 100,000 to 1,000,000', of: 'worst', unit: '×', below: 2 },
    usable: {
      what: 'First pull of 1,000,000 treatments and 100,000 patients: usable counter',
      of: 'worst',
      unit: 's',
      below: 10,
    },
    complete: { what: 'First pull of the same clinic: everything on the tablet', of: 'worst', unit: 's' },
    memory: { what: "The tablet's heap during that pull, page and worker", of: 'worst', unit: 'MB', below: 250 },
  },
  load: {
    batch: { what: 'Batch with 200 tablets', of: 'p99', unit: 'ms', below: 100 },
    pull: { what: 'Pull with 200 tablets', of: 'p99', unit: 'ms' },
    errors: { what: 'Failed calls with 200 tablets', of: 'worst', unit: '', atMost: 0 },
  },
  stock: {
    lists: {
      what: 'Slowest stock list of 20,000 items and 500,000 movements, p95',
      of: 'worst',
      unit: 'ms',
      below: 150,
    },
    firstSync: { what: 'First sync of 20,000 items on 10 Mbit/s', of: 'worst', unit: 's' },
    frame: { what: 'Frame while a full table scrolls', of: 'p95', unit: 'ms', below: 34 },
  },
  exports: {
    seconds: { what: 'Excel file of 100,000 treatments', of: 'worst', unit: 's', below: 20 },
    memory: { what: 'Growth of the server during an export', of: 'worst', unit: 'MB', below: 150 },
    others: { what: 'Other requests during an export', of: 'p95', unit: 'ms', below: 100 },
  },
  'back-office': {
    lists: {
      what: 'Slowest list of 5,000 people and 100,000 expenses, p95',
      of: 'worst',
      unit: 'ms',
      below: 150,
    },
  },
  proof: {
    sale: { what: 'A sale with proofs, times one without', of: 'median', unit: '×', atMost: 1.05 },
    batch: { what: 'A batch with proofs, times one without', of: 'median', unit: '×', atMost: 1.05 },
  },
  costs: {
    batch: { what: 'A batch with row-level security, times one without', of: 'median', unit: '×', atMost: 1.05 },
    pull: { what: 'A pull with row-level security, times one without', of: 'median', unit: '×', atMost: 1.05 },
    fiscal: { what: 'A batch of whole sales with VERI*FACTU, times one without', of: 'median', unit: '×' },
  },
  fiscal: {
    tap: { what: 'Tap to stored sale with VERI*FACTU, times one without', of: 'median', unit: '×', atMost: 1.1 },
    payment: { what: 'Commit of a payment with VERI*FACTU, times one without', of: 'median', unit: '×' },
  },
  tenants: {
    sale: { what: "A sale beside another clinic's load, times alone, p95", of: 'worst', unit: '×', below: 1.2 },
    poke: { what: "A poke beside another clinic's load, times alone, p95", of: 'worst', unit: '×', below: 1.2 },
  },
  storms: {
    sale: { what: 'A sale beside a storm of another clinic, times alone, p95', of: 'worst', unit: '×', below: 2 },
    poke: { what: 'A poke beside a storm of another clinic, times alone, p95', of: 'worst', unit: '×', below: 2 },
  },
  endurance: {
    batch: { what: 'Batch with 200 tablets for ten minutes', of: 'p99', unit: 'ms', below: 100 },
    errors: { what: 'Failed calls with 200 tablets for ten minutes', of: 'worst', unit: '', atMost: 0 },
    memory: { what: 'Growth of the server in an hour', of: 'worst', unit: 'MB' },
  },
} satisfies Record<string, Record<string, Goal>>;

export type SectionName = keyof typeof goals;
