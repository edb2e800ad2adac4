import { openSandbox } from '../openSandbox.mts';
import { readExample } from '../../tools/start/starter.mts';

const sandbox = openSandbox();

const { nodes } = readExample('form');

test('the form’s workflow uses a subscription that is free', () => {
	const [listener] = nodes.filter(({ type }) => type.endsWith('.pageAudienceTrigger'));
	const { subscriptionId, events } = listener?.parameters ?? {};
	const { value } = subscriptionId as { value: string };
	expect(sandbox.store.subscriptions.get(value)?.active).toBe(false);
	expect(events).toEqual(['form.submitted']);
});

test('contains no credential', () => {
	expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
});
