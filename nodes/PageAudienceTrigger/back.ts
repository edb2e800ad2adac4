import { readParameter, withParameter } from './url';
import { readState, type State } from './registration/state';

/**
 * A test that borrows carries what it borrowed in its own URL, as `back`: when n8n ends in the middle of it,
 * nothing else is left that knows.
 */
const name = 'back';

export function withBack(url: string, kept: State): string {
	return withParameter(url, name, Buffer.from(JSON.stringify(kept)).toString('base64url'));
}

export function readBack(url: string): State | undefined {
	const text = readParameter(url, name);
	if (text === undefined) return undefined;
	try {
		return readState(JSON.parse(Buffer.from(text, 'base64url').toString()));
	} catch {
		return undefined;
	}
}
