import type { BenchObject } from "./client.ts";
import { contentOf, titleOf } from "./documents.ts";

/** What the bench expects of one Document, and what it has seen of it and of its ConfigMap. */
export class Expectation {
  readonly name: string;
  /** When it last came to be as expected; undefined while it is not. */
  convergedAt: number | undefined;
  exists = false;
  configMap: "missing" | "stale" | "equal" = "missing";
  /** How often an event has shown the ConfigMap other than it should be. */
  configMapFaults = 0;
  #version = 1;
  #document: BenchObject | undefined;
  #configMapObject: BenchObject | undefined;
  #contentSeen = false;

  constructor(name: string) {
    this.name = name;
  }

  /** From here on the next content is expected. */
  next(): string {
    this.#version++;
    this.#contentSeen = false;
    if (this.configMap === "equal") this.configMap = "stale";
    return this.#content;
  }

  /** @param document undefined when it was deleted. */
  seeDocument(document: BenchObject | undefined): void {
    this.exists = document !== undefined;
    this.#document = document ?? this.#document;
    this.#contentSeen = document?.spec?.content === this.#content;
  }

  seeConfigMap(configMap: BenchObject | undefined): void {
    this.#configMapObject = configMap;
    const { content, title } = configMap?.data ?? {};
    if (!configMap) this.configMap = "missing";
    else this.configMap = content === this.#content && title === titleOf(this.name) ? "equal" : "stale";
    if (this.configMap !== "equal") this.configMapFaults++;
  }

  /** Whether the newest content has come back in an event of the Document. */
  get contentSeen(): boolean {
    return this.#contentSeen;
  }

  get statusCurrent(): boolean {
    return this.#document?.status?.observedGeneration === this.#document?.metadata.generation;
  }

  /** What keeps it from being as expected. */
  missing(): string[] {
    if (!this.exists) return ["no Document"];
    return [
      ...(this.#contentSeen ? [] : ["Document content not seen"]),
      ...(this.#document?.metadata.finalizers?.length ? [] : ["no finalizer"]),
      ...(this.#document && this.statusCurrent ? [] : ["status behind"]),
      ...(this.configMap === "equal" ? [] : [`ConfigMap ${this.configMap}`]),
    ];
  }

  /** Where it departs from the job's text in what speed does not show. */
  departures(): string[] {
    const { ownerReferences = [], managedFields = [] } = this.#configMapObject?.metadata ?? {};
    const uid = this.#document?.metadata.uid;
    const owned = ownerReferences.some((owner) => owner.controller && owner.kind === "Document" && owner.uid === uid);
    const applied = managedFields.some(({ manager, operation }) => manager === "documents" && operation === "Apply");
    return [
      ...(owned ? [] : ["no controller owner reference"]),
      ...(applied ? [] : ["not applied by the manager documents"]),
      ...(this.#document?.status?.phase === "Ready" ? [] : ["phase is not Ready"]),
    ];
  }

  get #content(): string {
    return contentOf(this.name, this.#version);
  }
}
