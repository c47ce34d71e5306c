import type { RunEvent } from "../core/events.ts";
import type { RunState } from "../core/state.ts";
import type { Cluster, ClusterEvent } from "./cluster.ts";
import type { Driver } from "./driver.ts";
import { Gatherer } from "./gatherer.ts";
import { type Host, RunLoop, type Watch } from "./run-loop.ts";

/** Carries out nothing: a cluster does. */
const NOBODY: Host = {
  clock: { now: () => 0, at: () => () => {} },
  underWay: 0,
  start: () => {},
  abort: () => {},
  abortAll: () => {},
  readFiles: () => {},
};

/** The loop of a run that a cluster carries out: it only follows, and what it is offered it passes on. */
export class RemoteLoop extends RunLoop {
  override isFollowing = true;
  /** Why the cluster did not take what was last offered. */
  refusal: unknown;
  /** Settled when the cluster has answered to what was last offered. */
  sent: Promise<void> = Promise.resolve();
  readonly #cluster: Cluster;
  readonly #onTurn: (loop: RunLoop) => void;

  constructor(
    id: string,
    state: RunState,
    driver: Driver,
    cluster: Cluster,
    onTurn: (loop: RunLoop) => void,
    watch: Watch,
  ) {
    super(id, state, driver, new Gatherer(driver), NOBODY, onTurn, watch);
    this.#cluster = cluster;
    this.#onTurn = onTurn;
  }

  override offer = (event: RunEvent): void => {
    this.sent = this.#cluster.send(this.id, event as ClusterEvent).then(
      () => this.catchUp(),
      (error: unknown) => {
        this.refusal = error;
        this.refusals++;
        // Whoever cancels waits for the end, which would not come.
        if (event.kind === "CancelRequested") this.fail(error);
        else this.#onTurn(this);
      },
    );
  };
}
