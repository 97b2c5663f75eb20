/**
 * A schema as the API server wants it in a CustomResourceDefinition: every node has one type or is open, and there are no
 * references. https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export type StructuralSchema = {
  type?: "string" | "number" | "integer" | "boolean" | "object" | "array";
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: true;
  exclusiveMaximum?: true;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  enum?: (string | number | boolean)[];
  nullable?: true;
  default?: NonNullable<unknown>;
  properties?: Record<string, StructuralSchema>;
  required?: string[];
  additionalProperties?: StructuralSchema;
  items?: StructuralSchema;
  allOf?: StructuralSchema[];
  anyOf?: StructuralSchema[];
  oneOf?: StructuralSchema[];
  "x-kubernetes-int-or-string"?: true;
  "x-kubernetes-preserve-unknown-fields"?: true;
};

/** A construct that no structural schema can say, and where it stands. */
export class UnstructuralError extends TypeError {
  override name = "UnstructuralError";
  /** `Document.spec.hosts[].port` */
  readonly path: string;

  constructor(path: string, construct: string, instead: string) {
    super(`${path}: ${construct} cannot be said in a CustomResourceDefinition; ${instead}`);
    this.path = path;
  }
}
