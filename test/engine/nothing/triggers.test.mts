import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { parameters as polled } from '../../../nodes/PageAudiencePollingTrigger/parameters.ts';
import { parameters as delivered } from '../../../nodes/PageAudienceTrigger/parameters.ts';
import { setUpPolling } from '../polling/pollingSetup.mts';
import { setUpTrigger } from '../trigger/triggerSetup.mts';
import { type Leaf, listLeaves, setAt, showLeaf } from './leaves.mts';

/*
 * A trigger has no items. So an expression that is blank, or says nothing, such as one of a variable that was deleted, is a
 * mistake in each of its parameters: publishing fails, and a poll reads nothing.
 */

const nothings = ['null', 'undefined', '""', '" "', '"null"', '"#N/A"', '"{id}"', '[]', '{}'];

/** An expression in place of one parameter, and what has to be chosen so that it is shown. */
function chooseFor({ path, properties }: Leaf, expression: string): INodeParameters {
	const chosen: IDataObject = {};
	showLeaf(chosen, { path, properties });
	const isLocator = properties.at(-1)?.type === 'resourceLocator';
	setAt(chosen, path, isLocator ? { __rl: true, mode: 'id', value: expression } : expression);
	return chosen as INodeParameters;
}

describe('the webhook trigger', () => {
	const setup = setUpTrigger();
	test.each(listLeaves([...delivered]))('is not published if $name says nothing', async (leaf) => {
		const [{ displayName }] = leaf.properties;
		for (const nothing of nothings) {
			const { trigger } = setup.subscribed({ active: false });
			Object.assign(trigger.parameters, chooseFor(leaf, `={{ ${nothing} }}`));
			await expect(trigger.publish()).rejects.toThrow(displayName);
			await expect(trigger.listen()).rejects.toThrow(displayName);
		}
		expect(setup.changes).toEqual([]);
	});
});

describe('the polling trigger', () => {
	const open = setUpPolling();
	test.each(listLeaves([...polled]))('reads nothing where $name says nothing', async (leaf) => {
		for (const nothing of nothings) {
			const { workflow, requests } = open(chooseFor(leaf, `={{ ${nothing} }}`));
			await expect(workflow.activate()).rejects.toThrow(leaf.properties[0].displayName);
			expect(requests).toEqual([]);
		}
	});
});
