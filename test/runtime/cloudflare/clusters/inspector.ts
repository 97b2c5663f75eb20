/** What an inspector of V8 tells of a process, by the Chrome DevTools protocol. */
export async function heapUsed(inspectorUrl: string): Promise<number> {
  const targets = (await (await fetch(`${inspectorUrl}/json`)).json()) as {
    id: string;
    webSocketDebuggerUrl: string;
  }[];
  const main = targets.find(({ id }) => id === "core:main" || id === "main") ?? targets[0]!;
  const socket = new WebSocket(main.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  try {
    await call(socket, 1, "HeapProfiler.collectGarbage");
    const { usedSize } = (await call(socket, 2, "Runtime.getHeapUsage")) as { usedSize: number };
    return usedSize;
  } finally {
    socket.close();
  }
}

function call(socket: WebSocket, id: number, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.addEventListener("message", function take({ data }) {
      const answer = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: unknown };
      if (answer.id !== id) return;
      socket.removeEventListener("message", take);
      if (answer.error) reject(new Error(`${method}: ${JSON.stringify(answer.error)}`));
      else resolve(answer.result);
    });
    socket.send(JSON.stringify({ id, method }));
  });
}
