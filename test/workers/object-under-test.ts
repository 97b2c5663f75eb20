import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";
import { createAlarmClock } from "../../adapters/scheduler/alarm-clock.ts";
import type { SchedulerOptions } from "../../adapters/scheduler/driver.ts";
import type { openDurableObjectScheduler } from "../../adapters/scheduler/durable-object.ts";
import type { Clock, Scheduler } from "../../functions/ports/index.ts";

/** A Durable Object's scheduler on its real SQLite, with an alarm in the time of a test. */
export class ObjectUnderTest {
  readonly alarm: VirtualAlarm = new VirtualAlarm();
  readonly #storage: ObjectStorage;
  readonly #create: typeof openDurableObjectScheduler;
  #scheduler: Scheduler | undefined;

  constructor(storage: ObjectStorage, create: typeof openDurableObjectScheduler) {
    this.#storage = storage;
    this.#create = create;
  }

  /** The alarm is to the millisecond unless told otherwise. */
  open(options: SchedulerOptions, { startsPerEvent = 25, grainMs = 1 } = {}): Scheduler {
    this.alarm.clock = options.clock;
    const clock = createAlarmClock(options.clock, (at) => this.alarm.set(at), this.alarm.at, grainMs);
    const scheduler = this.#create(this.#storage, () => ({ ...options, clock, startsPerEvent }), "home")!;
    this.alarm.onFire = () => {
      clock.fired();
      void scheduler.wake("home");
    };
    this.#scheduler = scheduler;
    scheduler.wake("home").catch(() => {}); // nobody opens an object but an event
    return scheduler;
  }

  /** What was written is kept, and so is the alarm. */
  crash(): void {
    void this.#scheduler?.close();
    this.alarm.onFire = () => {};
  }
}

/** Fires once the wall clock has reached its time, as a platform's does. */
export class VirtualAlarm {
  clock: Clock | undefined;
  at: number | null = null;
  onFire: () => void = () => {};
  /** How often it was set, and fired. */
  sets = 0;
  fires = 0;
  #cancel = (): void => {};

  set(at: number): void {
    this.at = at;
    this.sets++;
    this.#wait();
  }

  #wait(): void {
    this.#cancel();
    const delayMs = Math.max(0, this.at! - this.clock!.now());
    this.#cancel = this.clock!.setTimer(delayMs, () => {
      if (this.clock!.now() < this.at!) return this.#wait();
      this.at = null;
      this.fires++;
      this.onFire();
    });
  }
}
