/** Short pieces of work, each told as it goes when nothing crashes. `crash-points.ts` runs them with a crash at every await. */
import type { Job } from './clerk.ts';
import type { Shift } from './shift.ts';

/** What a scenario can make happen. Tablets are counted from 0; the first is the one that crashes. */
export interface Stage {
  /** Somebody at that tablet does this; whether the work is sent is another matter. */
  does(tablet: number, ...jobs: Job[]): Promise<void>;
  /** Two people do this at the same moment, in two tabs. */
  doAtOnce(tablet: number, jobs: readonly [Job, Job]): Promise<void>;
  syncs(tablet: number): Promise<void>;
  goesOffline(tablet: number): void;
  comesBack(tablet: number): Promise<void>;
  signsIn(tablet: number, role: 'manager' | 'counter'): Promise<void>;
  losesNextReply(): void;
  shift: Shift;
}

export interface Scenario {
  name: string;
  tablets: 1 | 2;
  /** What happens before anything can crash. */
  before?: (stage: Stage) => Promise<void>;
  act: (stage: Stage) => Promise<void>;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'a sale with the network up',
    tablets: 1,
    act: async (stage) => {
      await stage.does(0, 'sell');
      await stage.syncs(0);
    },
  },
  {
    name: 'a sale without a network, sent later',
    tablets: 1,
    act: async (stage) => {
      stage.goesOffline(0);
      await stage.does(0, 'sell');
      await stage.comesBack(0);
    },
  },
  {
    name: 'one treatment in three steps, sent together',
    tablets: 1,
    act: async (stage) => {
      await stage.does(0, 'create', 'add_services', 'pay');
      await stage.syncs(0);
    },
  },
  {
    name: 'a pull over work that waits',
    tablets: 2,
    before: async (stage) => {
      await stage.does(1, 'create');
      await stage.syncs(1);
      await stage.syncs(0);
      await stage.does(1, 'pay');
      await stage.syncs(1);
    },
    act: async (stage) => {
      await stage.does(0, 'add_services');
      await stage.syncs(0);
    },
  },
  {
    name: 'a refused adjustment, retried by a manager',
    tablets: 1,
    before: async (stage) => {
      await stage.signsIn(0, 'counter');
      await stage.does(0, 'adjust_stock');
      await stage.syncs(0);
      await stage.signsIn(0, 'manager');
    },
    act: async (stage) => {
      await stage.does(0, 'retry_refused');
      await stage.syncs(0);
    },
  },
  {
    name: 'a refused refund with a payment behind it, retried',
    tablets: 1,
    before: async (stage) => {
      await stage.signsIn(0, 'counter');
      await stage.does(0, 'sell');
      await stage.syncs(0);
      await stage.does(0, 'refund', 'add_services');
      await stage.syncs(0);
      await stage.signsIn(0, 'manager');
    },
    act: async (stage) => {
      await stage.does(0, 'retry_refused');
      await stage.syncs(0);
    },
  },
  {
    name: 'two tabs sell at the same moment',
    tablets: 1,
    act: async (stage) => {
      await stage.doAtOnce(0, ['sell', 'sell']);
      await stage.syncs(0);
    },
  },
  {
    name: 'the server is restored from before the sale',
    tablets: 1,
    before: async (stage) => {
      await stage.shift.world.now(() => stage.shift.keepBackup());
      await stage.does(0, 'sell');
      await stage.syncs(0);
      await stage.shift.world.now(() => stage.shift.restore());
    },
    act: (stage) => stage.syncs(0),
  },
  {
    name: 'an acknowledgement is lost',
    tablets: 1,
    before: (stage) => stage.does(0, 'sell'),
    act: async (stage) => {
      stage.losesNextReply();
      await stage.syncs(0);
    },
  },
  {
    name: 'the session ends before the work is sent',
    tablets: 1,
    before: async (stage) => {
      await stage.shift.clinic.endSessions();
      await stage.does(0, 'sell');
    },
    act: async (stage) => {
      await stage.syncs(0);
      await stage.signsIn(0, 'manager');
    },
  },
  {
    name: 'stock is counted while another tablet moves it',
    tablets: 2,
    before: async (stage) => {
      await stage.does(1, 'adjust_stock', 'adjust_stock');
      await stage.syncs(1);
    },
    act: async (stage) => {
      await stage.does(0, 'adjust_stock', 'adjust_stock');
      await stage.syncs(0);
    },
  },
  {
    name: 'a drawer is opened, moved and closed',
    tablets: 1,
    act: async (stage) => {
      await stage.does(0, 'open_drawer', 'move_money', 'close_drawer');
      await stage.syncs(0);
    },
  },
  {
    name: 'one tablet cancels what the other is paid for',
    tablets: 2,
    before: async (stage) => {
      await stage.does(0, 'create');
      await stage.syncs(0);
      await stage.syncs(1);
      await stage.does(1, 'pay');
      await stage.syncs(1);
    },
    act: async (stage) => {
      await stage.does(0, 'cancel');
      await stage.syncs(0);
    },
  },
];
