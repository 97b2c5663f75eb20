/**
 * Kubernetes' own kinds, each a value (where it is served) and a type (its objects), as `kubernetes-types` knows them. A
 * kind that is not here is written by hand: `const ServiceCIDR: Resource<MyType> = { apiVersion, group, version, kind, plural, scope }`.
 * @module
 */
import type * as admissionregistration from "kubernetes-types/admissionregistration/v1.js";
import type * as apiextensions from "kubernetes-types/apiextensions/v1.js";
import type * as apps from "kubernetes-types/apps/v1.js";
import type * as autoscaling from "kubernetes-types/autoscaling/v2.js";
import type * as batch from "kubernetes-types/batch/v1.js";
import type * as certificates from "kubernetes-types/certificates/v1.js";
import type * as coordination from "kubernetes-types/coordination/v1.js";
import type * as core from "kubernetes-types/core/v1.js";
import type * as discovery from "kubernetes-types/discovery/v1.js";
import type * as events from "kubernetes-types/events/v1.js";
import type * as flowcontrol from "kubernetes-types/flowcontrol/v1.js";
import type * as networking from "kubernetes-types/networking/v1.js";
import type * as node from "kubernetes-types/node/v1.js";
import type * as policy from "kubernetes-types/policy/v1.js";
import type * as rbac from "kubernetes-types/rbac/v1.js";
import type * as scheduling from "kubernetes-types/scheduling/v1.js";
import type * as storage from "kubernetes-types/storage/v1.js";
import * as table from "./kube/kinds-table.ts";
import type { KubeObject, ObjectMeta, Resource } from "./kube/resource.ts";

/** A built-in kind's object as the API server returned it: what it sets itself is there. */
type Stored<T extends { apiVersion?: string; kind?: string }> = {
  [Field in keyof T as Exclude<Field, "apiVersion" | "kind" | "metadata">]: T[Field];
} & {
  apiVersion: NonNullable<T["apiVersion"]>;
  kind: NonNullable<T["kind"]>;
  metadata: ObjectMeta;
};

type Kind<T extends KubeObject> = Resource<T> & Readonly<Pick<T, "apiVersion" | "kind">>;

export type ConfigMap = Stored<core.ConfigMap>;
export const ConfigMap: Kind<ConfigMap> = table.ConfigMap;
export type Endpoints = Stored<core.Endpoints>;
export const Endpoints: Kind<Endpoints> = table.Endpoints;
export type LimitRange = Stored<core.LimitRange>;
export const LimitRange: Kind<LimitRange> = table.LimitRange;
export type Namespace = Stored<core.Namespace>;
export const Namespace: Kind<Namespace> = table.Namespace;
export type Node = Stored<core.Node>;
export const Node: Kind<Node> = table.Node;
export type PersistentVolume = Stored<core.PersistentVolume>;
export const PersistentVolume: Kind<PersistentVolume> = table.PersistentVolume;
export type PersistentVolumeClaim = Stored<core.PersistentVolumeClaim>;
export const PersistentVolumeClaim: Kind<PersistentVolumeClaim> = table.PersistentVolumeClaim;
export type Pod = Stored<core.Pod>;
export const Pod: Kind<Pod> = table.Pod;
export type PodTemplate = Stored<core.PodTemplate>;
export const PodTemplate: Kind<PodTemplate> = table.PodTemplate;
export type ReplicationController = Stored<core.ReplicationController>;
export const ReplicationController: Kind<ReplicationController> = table.ReplicationController;
export type ResourceQuota = Stored<core.ResourceQuota>;
export const ResourceQuota: Kind<ResourceQuota> = table.ResourceQuota;
export type Secret = Stored<core.Secret>;
export const Secret: Kind<Secret> = table.Secret;
export type Service = Stored<core.Service>;
export const Service: Kind<Service> = table.Service;
export type ServiceAccount = Stored<core.ServiceAccount>;
export const ServiceAccount: Kind<ServiceAccount> = table.ServiceAccount;

export type ControllerRevision = Stored<apps.ControllerRevision>;
export const ControllerRevision: Kind<ControllerRevision> = table.ControllerRevision;
export type DaemonSet = Stored<apps.DaemonSet>;
export const DaemonSet: Kind<DaemonSet> = table.DaemonSet;
export type Deployment = Stored<apps.Deployment>;
export const Deployment: Kind<Deployment> = table.Deployment;
export type ReplicaSet = Stored<apps.ReplicaSet>;
export const ReplicaSet: Kind<ReplicaSet> = table.ReplicaSet;
export type StatefulSet = Stored<apps.StatefulSet>;
export const StatefulSet: Kind<StatefulSet> = table.StatefulSet;

export type MutatingWebhookConfiguration = Stored<admissionregistration.MutatingWebhookConfiguration>;
export const MutatingWebhookConfiguration: Kind<MutatingWebhookConfiguration> = table.MutatingWebhookConfiguration;
export type ValidatingAdmissionPolicy = Stored<admissionregistration.ValidatingAdmissionPolicy>;
export const ValidatingAdmissionPolicy: Kind<ValidatingAdmissionPolicy> = table.ValidatingAdmissionPolicy;
export type ValidatingAdmissionPolicyBinding = Stored<admissionregistration.ValidatingAdmissionPolicyBinding>;
export const ValidatingAdmissionPolicyBinding: Kind<ValidatingAdmissionPolicyBinding> =
  table.ValidatingAdmissionPolicyBinding;
export type ValidatingWebhookConfiguration = Stored<admissionregistration.ValidatingWebhookConfiguration>;
export const ValidatingWebhookConfiguration: Kind<ValidatingWebhookConfiguration> =
  table.ValidatingWebhookConfiguration;

export type CustomResourceDefinition = Stored<apiextensions.CustomResourceDefinition>;
export const CustomResourceDefinition: Kind<CustomResourceDefinition> = table.CustomResourceDefinition;

export type HorizontalPodAutoscaler = Stored<autoscaling.HorizontalPodAutoscaler>;
export const HorizontalPodAutoscaler: Kind<HorizontalPodAutoscaler> = table.HorizontalPodAutoscaler;

export type CronJob = Stored<batch.CronJob>;
export const CronJob: Kind<CronJob> = table.CronJob;
export type Job = Stored<batch.Job>;
export const Job: Kind<Job> = table.Job;

export type CertificateSigningRequest = Stored<certificates.CertificateSigningRequest>;
export const CertificateSigningRequest: Kind<CertificateSigningRequest> = table.CertificateSigningRequest;

export type Lease = Stored<coordination.Lease>;
export const Lease: Kind<Lease> = table.Lease;

export type EndpointSlice = Stored<discovery.EndpointSlice>;
export const EndpointSlice: Kind<EndpointSlice> = table.EndpointSlice;

export type Event = Stored<events.Event>;
export const Event: Kind<Event> = table.Event;

export type FlowSchema = Stored<flowcontrol.FlowSchema>;
export const FlowSchema: Kind<FlowSchema> = table.FlowSchema;
export type PriorityLevelConfiguration = Stored<flowcontrol.PriorityLevelConfiguration>;
export const PriorityLevelConfiguration: Kind<PriorityLevelConfiguration> = table.PriorityLevelConfiguration;

export type Ingress = Stored<networking.Ingress>;
export const Ingress: Kind<Ingress> = table.Ingress;
export type IngressClass = Stored<networking.IngressClass>;
export const IngressClass: Kind<IngressClass> = table.IngressClass;
export type NetworkPolicy = Stored<networking.NetworkPolicy>;
export const NetworkPolicy: Kind<NetworkPolicy> = table.NetworkPolicy;

export type RuntimeClass = Stored<node.RuntimeClass>;
export const RuntimeClass: Kind<RuntimeClass> = table.RuntimeClass;

export type PodDisruptionBudget = Stored<policy.PodDisruptionBudget>;
export const PodDisruptionBudget: Kind<PodDisruptionBudget> = table.PodDisruptionBudget;

export type ClusterRole = Stored<rbac.ClusterRole>;
export const ClusterRole: Kind<ClusterRole> = table.ClusterRole;
export type ClusterRoleBinding = Stored<rbac.ClusterRoleBinding>;
export const ClusterRoleBinding: Kind<ClusterRoleBinding> = table.ClusterRoleBinding;
export type Role = Stored<rbac.Role>;
export const Role: Kind<Role> = table.Role;
export type RoleBinding = Stored<rbac.RoleBinding>;
export const RoleBinding: Kind<RoleBinding> = table.RoleBinding;

export type PriorityClass = Stored<scheduling.PriorityClass>;
export const PriorityClass: Kind<PriorityClass> = table.PriorityClass;

export type CSIDriver = Stored<storage.CSIDriver>;
export const CSIDriver: Kind<CSIDriver> = table.CSIDriver;
export type CSINode = Stored<storage.CSINode>;
export const CSINode: Kind<CSINode> = table.CSINode;
export type CSIStorageCapacity = Stored<storage.CSIStorageCapacity>;
export const CSIStorageCapacity: Kind<CSIStorageCapacity> = table.CSIStorageCapacity;
export type StorageClass = Stored<storage.StorageClass>;
export const StorageClass: Kind<StorageClass> = table.StorageClass;
export type VolumeAttachment = Stored<storage.VolumeAttachment>;
export const VolumeAttachment: Kind<VolumeAttachment> = table.VolumeAttachment;
