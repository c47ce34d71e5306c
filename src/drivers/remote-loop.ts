import type { RunEvent } from "../core/events.ts";
import type { RunState } from "../core/state.ts";
import { type Cluster, type ClusterEvent, lifeOf } from "./cluster.ts";
import type { Driver } from "./driver.ts";
import { Gatherer } from "./gatherer.ts";
import { type Host, type LoopOwner, RunLoop } from "./run-loop.ts";

/** Carries out nothing: a cluster does. */
const NOBODY: Host = {
  clock: { now: () => 0, at: () => () => {} },
  underWay: 0,
  start: () => {},
  abort: () => {},
  abortAll: () => {},
  readFiles: () => {},
};

/** How often a journal is looked at that nobody has said to have grown. */
const LOOK_MS = 2_000;

/** The loop of a run that a cluster carries out: it only follows, and what it is offered it passes on. */
export class RemoteLoop extends RunLoop {
  override isFollowing = true;
  /** Why the cluster did not take what was last offered. */
  refusal: unknown;
  /** Settled when the cluster has answered to what was last offered. */
  sent: Promise<void> = Promise.resolve();
  readonly #cluster: Cluster;
  readonly #driver: Driver;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #owner: LoopOwner;

  constructor(id: string, state: RunState, driver: Driver, cluster: Cluster, owner: LoopOwner) {
    const awake: LoopOwner = {
      turned: (loop) => {
        this.#stayAwake();
        owner.turned(loop);
      },
      watch: (event, commands) => owner.watch(event, commands),
    };
    super(id, state, driver, new Gatherer(driver), NOBODY, awake);
    this.#cluster = cluster;
    this.#driver = driver;
    this.#owner = awake;
  }

  /** As a call that is under way would, a run that goes on elsewhere keeps the process alive; and what no watcher saw is seen. */
  #stayAwake(): void {
    const goesOn = this.state.status === "running" && this.failure === undefined;
    if (goesOn) this.#timer ??= setInterval(() => this.catchUp(), LOOK_MS);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Nothing is taken over: the run is followed from where its journal has been read. */
  override takeOver(seen: number): void {
    super.takeOver(seen, []);
    this.isFollowing = true;
    this.#stayAwake();
  }

  override offer(event: RunEvent): void {
    this.sent = this.#cluster.send(this.id, lifeOf(this.#driver.events(this.id)), event as ClusterEvent).then(
      () => this.catchUp(),
      (error: unknown) => {
        this.refusal = error;
        this.refusals++;
        // Whoever cancels waits for the end, which would not come.
        if (event.kind === "CancelRequested") this.fail(error);
        else this.#owner.turned(this);
      },
    );
  }
}
