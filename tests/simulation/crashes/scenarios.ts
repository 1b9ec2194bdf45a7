/** Short scenarios without faults. `crash-points.ts` repeats each with a crash at every await. */
import type { Action } from '../clients/workload.ts';
import type { Simulation } from '../simulation.ts';

/** The steps of a scenario. Tablets are numbered from 0; tablet 0 is the one that crashes. */
export interface ScenarioDriver {
  /** Performs actions at a tablet without syncing. */
  does(tablet: number, ...actions: Action[]): Promise<void>;
  /** Performs two actions at the same moment, in two tabs. */
  doAtOnce(tablet: number, actions: readonly [Action, Action]): Promise<void>;
  syncs(tablet: number): Promise<void>;
  goesOffline(tablet: number): void;
  comesBack(tablet: number): Promise<void>;
  signsIn(tablet: number, role: 'manager' | 'counter'): Promise<void>;
  losesNextReply(): void;
  /** Lets a server look for records to send, and the agency answer. */
  sends(): Promise<void>;
  simulation: Simulation;
}

export interface Scenario {
  name: string;
  tablets: 1 | 2;
  /** A clinic with VERI*FACTU, in which tablet 0 crashes or the server's sender dies. */
  fiscal?: { crashes: 'tablet' | 'sender' };
  /** Runs before the first crash. */
  before?: (driver: ScenarioDriver) => Promise<void>;
  act: (driver: ScenarioDriver) => Promise<void>;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'a sale with the network up',
    tablets: 1,
    act: async (driver) => {
      await driver.does(0, 'sell');
      await driver.syncs(0);
    },
  },
  {
    name: 'a sale without a network, sent later',
    tablets: 1,
    act: async (driver) => {
      driver.goesOffline(0);
      await driver.does(0, 'sell');
      await driver.comesBack(0);
    },
  },
  {
    name: 'one treatment in three steps, sent together',
    tablets: 1,
    act: async (driver) => {
      await driver.does(0, 'create', 'add_services', 'pay');
      await driver.syncs(0);
    },
  },
  {
    name: 'a pull over outstanding operations',
    tablets: 2,
    before: async (driver) => {
      await driver.does(1, 'create');
      await driver.syncs(1);
      await driver.syncs(0);
      await driver.does(1, 'pay');
      await driver.syncs(1);
    },
    act: async (driver) => {
      await driver.does(0, 'add_services');
      await driver.syncs(0);
    },
  },
  {
    name: 'a refused adjustment, retried by a manager',
    tablets: 1,
    before: async (driver) => {
      await driver.signsIn(0, 'counter');
      await driver.does(0, 'adjust_stock');
      await driver.syncs(0);
      await driver.signsIn(0, 'manager');
    },
    act: async (driver) => {
      await driver.does(0, 'retry_refused');
      await driver.syncs(0);
    },
  },
  {
    name: 'a refused refund with an operation behind it, retried',
    tablets: 1,
    before: async (driver) => {
      await driver.signsIn(0, 'counter');
      await driver.does(0, 'sell');
      await driver.syncs(0);
      await driver.does(0, 'refund', 'add_services');
      await driver.syncs(0);
      await driver.signsIn(0, 'manager');
    },
    act: async (driver) => {
      await driver.does(0, 'retry_refused');
      await driver.syncs(0);
    },
  },
  {
    name: 'two tabs sell at the same moment',
    tablets: 1,
    act: async (driver) => {
      await driver.doAtOnce(0, ['sell', 'sell']);
      await driver.syncs(0);
    },
  },
  {
    name: 'the server is restored from before the sale',
    tablets: 1,
    before: async (driver) => {
      await driver.simulation.scheduler.now(() => driver.simulation.saveBackup());
      await driver.does(0, 'sell');
      await driver.syncs(0);
      await driver.simulation.scheduler.now(() => driver.simulation.restore());
    },
    act: (driver) => driver.syncs(0),
  },
  {
    name: 'the reply to a batch is lost',
    tablets: 1,
    before: (driver) => driver.does(0, 'sell'),
    act: async (driver) => {
      driver.losesNextReply();
      await driver.syncs(0);
    },
  },
  {
    name: 'the session ends before the operations are sent',
    tablets: 1,
    before: async (driver) => {
      await driver.simulation.clinic.endSessions();
      await driver.does(0, 'sell');
    },
    act: async (driver) => {
      await driver.syncs(0);
      await driver.signsIn(0, 'manager');
    },
  },
  {
    name: 'stock is counted while another tablet moves it',
    tablets: 2,
    before: async (driver) => {
      await driver.does(1, 'adjust_stock', 'adjust_stock');
      await driver.syncs(1);
    },
    act: async (driver) => {
      await driver.does(0, 'adjust_stock', 'adjust_stock');
      await driver.syncs(0);
    },
  },
  {
    name: 'a drawer is opened, moved and closed',
    tablets: 1,
    act: async (driver) => {
      await driver.does(0, 'open_drawer', 'move_money', 'close_drawer');
      await driver.syncs(0);
    },
  },
  {
    name: 'one tablet cancels a treatment that another was paid for',
    tablets: 2,
    before: async (driver) => {
      await driver.does(0, 'create');
      await driver.syncs(0);
      await driver.syncs(1);
      await driver.does(1, 'pay');
      await driver.syncs(1);
    },
    act: async (driver) => {
      await driver.does(0, 'cancel');
      await driver.syncs(0);
    },
  },
  {
    name: 'a sale and its fiscal record, which is sent to the tax agency',
    tablets: 1,
    fiscal: { crashes: 'tablet' },
    act: async (driver) => {
      await driver.does(0, 'sell');
      await driver.syncs(0);
      await driver.sends();
    },
  },
  {
    name: 'a simplified invoice is exchanged for a full one',
    tablets: 1,
    fiscal: { crashes: 'tablet' },
    before: (driver) => driver.does(0, 'create', 'invoice'),
    act: async (driver) => {
      await driver.does(0, 'exchange');
      await driver.syncs(0);
    },
  },
  {
    name: 'the document of a refused refund is voided and cancelled',
    tablets: 1,
    fiscal: { crashes: 'tablet' },
    before: async (driver) => {
      await driver.signsIn(0, 'counter');
      await driver.does(0, 'sell', 'refund');
      await driver.syncs(0);
      await driver.signsIn(0, 'manager');
    },
    act: async (driver) => {
      await driver.does(0, 'void_refused');
      await driver.syncs(0);
      await driver.sends();
    },
  },
  {
    name: 'records are sent to the tax agency',
    tablets: 1,
    fiscal: { crashes: 'sender' },
    before: async (driver) => {
      await driver.does(0, 'sell', 'refund');
      await driver.syncs(0);
    },
    act: (driver) => driver.sends(),
  },
  {
    name: 'a cancellation is sent to the tax agency',
    tablets: 1,
    fiscal: { crashes: 'sender' },
    before: async (driver) => {
      await driver.signsIn(0, 'counter');
      await driver.does(0, 'sell', 'refund');
      await driver.syncs(0);
      await driver.signsIn(0, 'manager');
      await driver.does(0, 'void_refused');
      await driver.syncs(0);
    },
    act: (driver) => driver.sends(),
  },
];
