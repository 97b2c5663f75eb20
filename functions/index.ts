/**
 * What a controller is written with. Kubernetes' own kinds are in `sluice/kinds`.
 * @module
 */
export type { Action, ObjectRef, Predicate, Reason } from "./contract/index.ts";
export {
  type AwaitChange,
  awaitChange,
  type ExponentialOptions,
  exponential,
  type RequeueAfter,
  requeueAfter,
} from "./controller/action.ts";
export type { Controller, ControllerOptions, Failure, RunContext } from "./controller/controller.ts";
export { defineController } from "./controller/define-controller.ts";
export type { Duration } from "./controller/duration.ts";
export { RetryAfterError, TerminalError } from "./controller/errors.ts";
export type { Access, MapContext, MapTo, Owns, Verb, Watches } from "./controller/relations.ts";
export type { LabelSelection, Selection } from "./controller/selection.ts";
export { crdOf } from "./kube/crd.ts";
export { type CustomResource, type CustomResourceOptions, customResource } from "./kube/custom-resource.ts";
export {
  BadRequestError,
  ConflictError,
  DeadlineError,
  ForbiddenError,
  GoneError,
  InvalidError,
  isAbsent,
  KubeError,
  MisfitError,
  NotFoundError,
  NotServedError,
  ServerError,
  type StatusDetails,
  TooManyRequestsError,
  UnauthorizedError,
} from "./kube/errors.ts";
export type {
  ApplyOptions,
  DeleteOptions,
  JsonPatchOperation,
  Kube,
  ListOptions,
  ObjectName,
  StatusOf,
} from "./kube/kube.ts";
export type { Draft, DraftMeta, Infer, KubeObject, ObjectMeta, OwnerReference, Resource } from "./kube/resource.ts";
export type { Logger } from "./ports/index.ts";
