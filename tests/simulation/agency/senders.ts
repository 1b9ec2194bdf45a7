/** The senders of fiscal records of all server processes, the tax agency, and the faults between them, in virtual time. */
import { callTimeoutMs } from '#server/modules/fiscal/transport.ts';
import { TaxAgency } from '#tests/support/tax-agency.ts';
import type { ReceivedRecord } from '#tests/support/tax-agency.ts';
import { schemaErrors } from '#tests/support/xmllint.ts';
import type { Random } from '#tests/support/random.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { AgencyFault, AgencyVerdict, FiscalProfile } from '../faults/profile.ts';
import type { Scheduler } from '../runtime/scheduler.ts';
import { formErrors } from './message-form.ts';
import { SenderProcess } from './sender-process.ts';
import type { Answer } from './sender-process.ts';

interface Parts {
  scheduler: Scheduler;
  clinic: Clinic;
  random: Random;
  profile: FiscalProfile;
  /** True to let xmllint read the first call and its reply. */
  isSample: boolean;
  /** Called at every await of a sender. */
  onAwait?: ((process: SenderProcess, point: string) => void) | undefined;
}

/** The agency's wait between two calls, unless it asks for another. */
const waitSeconds = 60;

export class Senders {
  readonly agency: TaxAgency;
  /** Ends all faults. */
  isHealed = false;
  /** Overrides the fault of the next call. */
  plannedFault: AgencyFault | 'answers' | null = null;
  private readonly processes: SenderProcess[] = [];
  private readonly verdicts = new Map<string, AgencyVerdict | 'accepts'>();
  /** The number of awaits until a process dies. */
  private readonly deaths = new Map<SenderProcess, number>();
  private samples: number;

  constructor(private readonly parts: Parts) {
    const { scheduler, clinic, profile, isSample } = parts;
    this.samples = isSample ? 2 : 0;
    this.agency = new TaxAgency({
      clock: () => scheduler.nowMs,
      waitSeconds,
      validate: (schema, body) => this.validate(schema, body),
    });
    this.agency.tellsHash = profile.tellsHash;
    this.agency.refusesFor = (record) => (this.verdictOn(record) === 'breaks_schema' ? 4102 : undefined);
    this.agency.judge = (record) =>
      ({
        accepts: undefined,
        breaks_schema: undefined,
        rejects: { state: 'Incorrecto' as const, code: 1100, message: 'Valor o tipo incorrecto' },
        warns: { state: 'AceptadoConErrores' as const, code: 2001, message: 'El NIF no está identificado' },
      })[this.verdictOn(record)];
    clinic.servers.onDown = (index) => this.kill(index);
    for (let index = 0; index < clinic.servers.count; index++) this.plan(index);
  }

  /** Kills a server's sender, wherever it waits. */
  kill(index: number): void {
    const process = this.processes[index];
    if (!process?.isAlive) return;
    process.die();
    this.parts.scheduler.after(0, () => process.bury());
  }

  /** Lets go of everything at the end of a history. */
  async close(): Promise<void> {
    for (const process of this.processes) {
      process?.die();
      await process?.bury();
    }
  }

  /** Lets a server look for records to send. */
  async look(index: number): Promise<void> {
    const { clinic, profile, random } = this.parts;
    if (!clinic.servers.isUp(index)) return;
    let process = this.processes[index];
    if (!process?.isAlive) process = this.processes[index] = this.start(index);
    if (process.isLooking) return;
    const { sender_killed: weight = 0, answers = 1 } = profile.agencyFaults;
    if (!this.isHealed && weight > 0 && random.happens(weight / (answers * 4))) {
      // A look without anything to send has few awaits, and one with a call about forty.
      this.deaths.set(process, random.between(4, 44));
    }
    await clinic.unblocked(process.look());
    this.deaths.delete(process);
  }

  private plan(index: number): void {
    const { profile, random, scheduler } = this.parts;
    scheduler.after(random.between(profile.lookMs / 2, profile.lookMs * 1.5), async () => {
      await this.look(index);
      this.plan(index);
    });
  }

  private start(index: number): SenderProcess {
    const { clinic, scheduler } = this.parts;
    const { databases, secret } = clinic.cluster;
    return new SenderProcess({
      database: databases[index]!,
      secret,
      clock: () => scheduler.nowMs,
      producer: { name: 'Maker', taxId: 'B65410011' },
      send: (from, message, answer) => this.send(from, message, answer),
      onAwait: (from, point) => {
        this.parts.onAwait?.(from, point);
        this.meetDeath(from, point, index);
      },
      onFault: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        if (!/tax agency|^agency/.test(message)) scheduler.fail(error);
        scheduler.note(`sender ${index + 1}`, message);
      },
    });
  }

  private meetDeath(process: SenderProcess, point: string, index: number): void {
    const left = this.deaths.get(process);
    if (left === undefined) return;
    this.deaths.set(process, left - 1);
    if (left > 0) return;
    const { clinic, random, scheduler } = this.parts;
    this.deaths.delete(process);
    scheduler.note(`sender ${index + 1}`, `dies at: ${point}`);
    scheduler.history.count('agency sender_killed');
    process.die();
    clinic.servers.kill(index, random.between(500, 60_000));
  }

  private send(from: SenderProcess, message: string, answer: Answer): void {
    const { random, scheduler } = this.parts;
    const fault = this.drawFault();
    if (fault !== 'answers') scheduler.history.count(`agency ${fault}`);
    scheduler.history.count('agency calls');
    const latencyMs = random.between(100, 3000);
    const fail = (afterMs: number) =>
      void scheduler.after(afterMs, () => answer(new Error(`agency: ${fault.replaceAll('_', ' ')}`)));
    scheduler.note('sender', `a call of ${message.match(/<sf:TipoHuella>/g)?.length} records: ${fault}`);
    switch (fault) {
      case 'agency_down':
        return fail(latencyMs);
      case 'agency_unreachable':
        return fail(callTimeoutMs);
      case 'agency_late':
        this.arrive({ from, message, afterMs: callTimeoutMs - latencyMs - 1, answerMs: null, answer });
        return fail(callTimeoutMs);
      case 'agency_reply_lost':
        this.arrive({ from, message, afterMs: latencyMs, answerMs: null, answer });
        return fail(callTimeoutMs);
      case 'agency_slow':
        return this.arrive({ from, message, afterMs: latencyMs, answerMs: callTimeoutMs - 2 * latencyMs, answer });
      default:
        return this.arrive({ from, message, afterMs: latencyMs, answerMs: 0, answer, fault });
    }
  }

  /** @param answerMs how long the answer takes; null for one that is lost */
  private arrive(call: {
    from: SenderProcess;
    message: string;
    afterMs: number;
    answerMs: number | null;
    answer: Answer;
    fault?: AgencyFault | 'answers';
  }): void {
    const { from, message, afterMs, answerMs, answer, fault } = call;
    const { random, scheduler } = this.parts;
    const { agency } = this;
    scheduler.after(afterMs, async () => {
      const { call: arrived, end } = agency.begin(message);
      agency.isRefusing = fault === 'agency_refuses';
      agency.waitSeconds = fault === 'agency_asks_to_wait' ? random.pick([0, 300, 3600]) : waitSeconds;
      const reply = await agency.receive(message, arrived);
      scheduler.note('agency', `${arrived.outcome}, ${agency.records.length} records`);
      const text = fault === 'agency_garbled' ? '<html>Mantenimiento</html>' : reply.message;
      if (answerMs === null || fault === 'agency_garbled') arrived.outcome = 'lost';
      if (answerMs === null || answerMs > 0) scheduler.after(answerMs ?? 0, end);
      else end();
      if (answerMs === null) return;
      if (answerMs > 0) return void scheduler.after(answerMs, () => answer(text));
      await answer(text);
      // A sender that dies before it has heard of another wait keeps the one that it knows. A query has none.
      if (!from.isAlive && arrived.outcome !== 'query')
        agency.allowNextCall(arrived.nif, arrived.atMs + waitSeconds * 1000);
    });
  }

  private drawFault(): AgencyFault | 'answers' {
    const planned = this.plannedFault;
    this.plannedFault = null;
    if (planned || this.isHealed) return planned ?? 'answers';
    const { sender_killed: _killed, ...faults } = this.parts.profile.agencyFaults;
    return this.parts.random.weighted<Exclude<AgencyFault, 'sender_killed'> | 'answers'>(faults);
  }

  /** A record is judged once, when it first arrives. */
  private verdictOn({ hash }: ReceivedRecord): AgencyVerdict | 'accepts' {
    const known = this.verdicts.get(hash);
    if (known) return known;
    const drawn = this.parts.random.weighted<AgencyVerdict | 'accepts'>(this.parts.profile.verdicts);
    const verdict = this.isHealed ? 'accepts' : drawn;
    this.verdicts.set(hash, verdict);
    if (verdict !== 'accepts') this.parts.scheduler.history.count(`agency ${verdict}`);
    return verdict;
  }

  private validate(schema: 'SuministroLR.xsd' | 'RespuestaSuministro.xsd', body: string): Promise<string[]> {
    if (this.samples > 0) {
      this.samples -= 1;
      return schemaErrors(schema, [body]);
    }
    return Promise.resolve(schema === 'SuministroLR.xsd' ? formErrors(body) : []);
  }
}
