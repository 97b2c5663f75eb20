/** Objects and paths that the cases share. */
export const CM = "/api/v1/namespaces/{ns}/configmaps";
export const SECRETS = "/api/v1/namespaces/{ns}/secrets";
export const WIDGETS = "/apis/kube-api.example.com/v1/namespaces/{ns}/widgets";
export const WIDGETS_V2 = "/apis/kube-api.example.com/v2/namespaces/{ns}/widgets";
export const GADGETS = "/apis/kube-api.example.com/v1/gadgets";
export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

type Fields = Record<string, unknown>;

export function configMap(name: string, rest: Fields = {}, metadata: Fields = {}): Fields {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, ...rest };
}

export function secret(name: string, rest: Fields = {}, metadata: Fields = {}): Fields {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, ...metadata }, ...rest };
}

export function widget(name: string, spec: Fields = { title: "t" }, metadata: Fields = {}, rest: Fields = {}): Fields {
  return { apiVersion: "kube-api.example.com/v1", kind: "Widget", metadata: { name, ...metadata }, spec, ...rest };
}

export function gadget(name: string, rest: Fields = {}, metadata: Fields = {}): Fields {
  return { apiVersion: "kube-api.example.com/v1", kind: "Gadget", metadata: { name, ...metadata }, ...rest };
}

/** A reference to the owner that a case keeps under this name. */
export function ownedBy(kept: string, kind = "ConfigMap", rest: Fields = {}, apiVersion = "v1"): Fields {
  return {
    ownerReferences: [{ apiVersion, kind, name: `{${kept}.metadata.name}`, uid: `{${kept}.metadata.uid}`, ...rest }],
  };
}
