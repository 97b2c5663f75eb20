import { createServer } from "node:http";

/** A gateway in this process behind which no object exists, so that a run is one request, whose arrival tells its start. */
export type BenchGateway = {
  url: string;
  /** Called with a key's name the moment the request of its run arrives. */
  onStart: (name: string) => void;
  /** Whether runs are answered; else they wait. */
  answers: boolean;
  close(): void;
};

export async function openGateway(): Promise<BenchGateway> {
  const server = createServer((request, response) => {
    const name = request.url?.split("/").at(-1) ?? "";
    gateway.onStart(name);
    if (!gateway.answers) return;
    const details = { name, group: "example.com", kind: "documents" };
    const status = { apiVersion: "v1", kind: "Status", status: "Failure", reason: "NotFound", code: 404, details };
    response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(status));
  });
  const gateway: BenchGateway = {
    ...{ url: "", answers: true, onStart: () => {} },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  gateway.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return gateway;
}
