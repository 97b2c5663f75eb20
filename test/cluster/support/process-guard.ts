import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * A shell that outlives us: it is told of every process group that we start, and kills what is left of them when its
 * input ends, which the system sees to however this process ends, `kill -9` included. Then it removes their folders. It
 * has a session of its own, so that what a terminal sends to our group does not reach it.
 */
const script = `
groups=" "
folders=()
while read -r verb id; do
  case $verb in
    add) groups="$groups$id " ;;
    drop) groups="\${groups/ $id / }" ;;
    folder) folders+=("$id") ;;
  esac
done
for id in $groups; do kill -KILL -- "-$id" 2> /dev/null; done
for folder in "\${folders[@]}"; do rm -rf -- "$folder"; done
exit 0
`;

let input: Writable | undefined;

function tell(line: string): void {
  if (!input) {
    const guard = spawn("bash", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    guard.unref();
    // Neither the guard nor its pipe may keep this process from ending.
    (guard.stdin as Writable & { unref?(): void }).unref?.();
    guard.stdin.on("error", () => {});
    input = guard.stdin;
  }
  input.write(`${line}\n`);
}

/** Promises that this process group, named by its leader's id, does not outlive the process that calls this. */
export function guardProcessGroup(id: number): void {
  tell(`add ${id}`);
}

/** Call it once the group has ended: its number may go to somebody else's. */
export function releaseProcessGroup(id: number): void {
  tell(`drop ${id}`);
}

/** Promises that this folder is removed when the process that calls this has ended. */
export function guardFolder(path: string): void {
  tell(`folder ${path}`);
}
