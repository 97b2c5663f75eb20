import { label } from "../../../functions/contract/index.ts";

export type ServiceAccount = { namespace: string; name: string };

/** Who functions are for the API server: an account for all controllers, and accounts of their own for some. */
export type Accounts = {
  /** The functions' service account: its RBAC is the limit of what any manifest can allow (X2). */
  serviceAccount: ServiceAccount;
  /** By controller, for RBAC, audit and flow control apart. */
  serviceAccounts?: Readonly<Record<string, ServiceAccount>>;
};

/** The name under which a controller's requests reach the API server. */
export function userOf({ serviceAccount, serviceAccounts = {} }: Accounts, controller: string): string {
  return userName((Object.hasOwn(serviceAccounts, controller) && serviceAccounts[controller]) || serviceAccount);
}

/** All users that functions can be, each with the text that named it. */
export function usersOf({ serviceAccount, serviceAccounts = {} }: Accounts): string[] {
  return [serviceAccount, ...Object.values(serviceAccounts)].map(userName);
}

function userName({ namespace, name }: ServiceAccount): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/**
 * Reads `namespace/name` for all controllers and `controller=namespace/name` for one.
 * @throws TypeError by `wrong`, which is told what an entry must be and the entry; and by `missing`, where none is for all.
 */
export function readAccounts(
  entries: readonly string[],
  { wrong, missing }: { wrong(must: string, entry: string): TypeError; missing(): TypeError },
): Accounts {
  const serviceAccounts: Record<string, ServiceAccount> = {};
  let forAll: ServiceAccount | undefined;
  for (const entry of entries) {
    const [, controller, account = entry] = /^([^=]*)=(.*)$/.exec(entry) ?? [];
    const [namespace = "", name = "", ...more] = account.split("/");
    // Of another form it would be the name of a user, which another right of the relay's account covers.
    const isName = name.length <= 253 && name.split(".").every((part) => label.safeParse(part).success);
    const isController = controller === undefined || label.safeParse(controller).success;
    if (!isController || !label.safeParse(namespace).success || !isName || more.length > 0)
      throw wrong("namespace/name, or controller=namespace/name", entry);
    if (controller === undefined ? forAll : Object.hasOwn(serviceAccounts, controller))
      throw wrong(`given once for ${controller ?? "all controllers"}`, entry);
    if (controller === undefined) forAll = { namespace, name };
    else serviceAccounts[controller] = { namespace, name };
  }
  if (!forAll) throw missing();
  return { serviceAccount: forAll, ...(Object.keys(serviceAccounts).length > 0 && { serviceAccounts }) };
}
