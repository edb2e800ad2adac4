import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Which of the objects are still in memory, because something else than this list refers to them. */
export async function listKept<T extends object>(objects: Array<WeakRef<T>>): Promise<T[]> {
	// Until then, an object stays that was just made or read.
	await nextTurn();
	collectGarbage();
	return objects.flatMap((each) => each.deref() ?? []);
}
