/** The custom resources that the cases use, made once a run. */
const widgetSchema = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["title"],
      properties: {
        title: { type: "string", minLength: 1, maxLength: 20 },
        size: { type: "integer", default: 3, minimum: 1, maximum: 10 },
        ratio: { type: "number", exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
        color: { type: "string", enum: ["red", "green"] },
        code: { type: "string", pattern: "^[a-z]+$" },
        when: { type: "string", format: "date-time" },
        on: { type: "boolean" },
        maybe: { type: "string", nullable: true },
        port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        options: {
          type: "object",
          default: {},
          properties: {
            level: { type: "string", default: "info" },
            deep: { type: "object", properties: { a: { type: "string" } } },
          },
        },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set", maxItems: 3 },
        ports: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string" },
              port: { type: "integer", default: 80 },
              protocol: { type: "string", default: "TCP" },
            },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name", "protocol"],
        },
        list: {
          type: "array",
          items: { type: "object", properties: { a: { type: "string" }, b: { type: "string", default: "x" } } },
        },
        map: { type: "object", additionalProperties: { type: "string" }, maxProperties: 2 },
        whole: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-map-type": "atomic" },
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        replicas: { type: "integer" },
        choice: {
          type: "object",
          properties: { a: { type: "string" }, b: { type: "string" } },
          oneOf: [{ required: ["a"] }, { required: ["b"] }],
        },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: { type: "string" },
        replicas: { type: "integer" },
        selector: { type: "string" },
        observedGeneration: { type: "integer" },
        conditions: {
          type: "array",
          items: {
            type: "object",
            required: ["type"],
            properties: { type: { type: "string" }, status: { type: "string" } },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
        },
      },
    },
  },
};

export const widgetCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.kube-api.example.com" },
  spec: {
    group: "kube-api.example.com",
    scope: "Namespaced",
    names: {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
      categories: ["all"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: widgetSchema },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
        additionalPrinterColumns: [
          { name: "Title", type: "string", jsonPath: ".spec.title" },
          { name: "Size", type: "integer", jsonPath: ".spec.size", priority: 1 },
          { name: "Phase", type: "string", jsonPath: ".status.phase" },
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: "When", type: "date", jsonPath: ".spec.when" },
        ],
        selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }],
      },
      {
        name: "v2",
        served: true,
        storage: false,
        deprecated: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { status: {} },
      },
      { name: "v3", served: false, storage: false, schema: { openAPIV3Schema: { type: "object" } } },
    ],
  },
};

export const gadgetCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.kube-api.example.com" },
  spec: {
    group: "kube-api.example.com",
    scope: "Cluster",
    names: { plural: "gadgets", kind: "Gadget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { size: { type: "integer" } },
          },
        },
      },
    ],
  },
};
